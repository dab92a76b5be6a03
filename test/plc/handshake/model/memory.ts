import { rows, type CellOutputs, type RowGroup } from '../../../../lib/plc/rows'

/** The cell's words in a PLC that has just lost its memory. */
export const zeroed: CellOutputs = {
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
}

const names = Object.keys(zeroed) as (keyof CellOutputs)[]
const groupOf = (name: keyof CellOutputs) => (name === 'data' ? 'result' : rows[name].group)

/** What one request of a write puts into the memory: the rows of one group. */
export type Part = Partial<CellOutputs>

/** A write in its requests, results first: whoever reads in between sees the halves. */
export function partsOf(
  outputs: CellOutputs,
  before: CellOutputs | undefined,
  order: readonly RowGroup[],
): Part[] {
  const changed = names.filter((name) => before?.[name] !== outputs[name])
  return order
    .map((group) => changed.filter((name) => groupOf(name) === group))
    .filter((part) => part.length)
    .map((part) => Object.fromEntries(part.map((name) => [name, outputs[name]])) as Part)
}

/** Whether all words stand as they were written. */
export const isKept = (memory: CellOutputs, written: CellOutputs): boolean =>
  names.every((name) => memory[name] === written[name])
