import type { Phase } from '../../lib/plc/handshake'
import type { DeployedHandshake } from '../plc/deployed-handshake'
import { grouped, type StatusLine, type StatusWord, took } from '../shared/status'

const words: Record<Phase, StatusWord> = {
  unknown: 'plcUnknown',
  'not-ready': 'plcNotReady',
  ready: 'plcReady',
  busy: 'plcBusy',
  done: 'plcDone',
  error: 'plcError',
}

/** Phase, cycles, duration of the last one, and missed triggers: `ready · 1,204 · 43 ms · 2 missed`. */
export function showHandshake(status: StatusLine, { phase, counts, cell }: DeployedHandshake): void {
  const { accepted, missed } = counts
  const duration = cell?.lastDuration
  const after = [
    accepted > 0 ? `· ${grouped(accepted)}` : '',
    duration === undefined ? '' : `· ${took(duration)}`,
  ].filter(Boolean)
  // A trouble of the connection stays until the PLC is seen again.
  if (phase !== 'unknown') status.left(undefined)
  status.background(words[phase], 0, {
    ...(after.length > 0 && { after: after.join(' ') }),
    ...(missed > 0 && { remark: { word: 'plcMissed', count: missed } }),
  })
}
