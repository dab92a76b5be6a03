import type { CellOutputs } from '../../../lib/plc/rows'

/** What a cell says that has just started. */
export const cellOutputs = (outputs: Partial<CellOutputs> = {}): CellOutputs => ({
  ready: false,
  busy: false,
  done: false,
  error: false,
  triggerAck: false,
  missed: false,
  answered: false,
  resultsValid: false,
  online: false,
  offlineReason: 0,
  sequenceEcho: 0,
  commandEcho: 0,
  code: 0,
  counter: 0,
  acquisitionId: 0,
  duration: 0,
  jobEcho: 0,
  missedCount: 0,
  life: 0,
  lifeBit: false,
  data: {},
  ...outputs,
})
