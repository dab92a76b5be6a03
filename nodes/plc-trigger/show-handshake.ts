import type { Phase } from '../../lib/plc/handshake'
import type { DeployedHandshake } from '../plc/deployed-handshake'
import { asVisionError } from '../plc/as-vision-error'
import { grouped, type StatusLine, type StatusWord, took } from '../shared/status'

const words: Record<Exclude<Phase, 'unknown'>, StatusWord> = {
  'not-ready': 'plcNotReady',
  ready: 'plcReady',
  busy: 'plcBusy',
  done: 'plcDone',
  error: 'plcError',
}

/** What is in the way while the phase is unknown. */
function missingOf({ cell }: DeployedHandshake): StatusWord {
  if (!cell?.isUp) return 'plcUnknown'
  if (!cell.isHeard) return 'plcSilent'
  return 'plcUnwritten'
}

/**
 * Phase, cycles, duration of the last one, and missed triggers: `ready · 1,204 · 43 ms · 2 missed`. A PLC that answers slowly is
 * never simply ready.
 */
export function handshakeStatus(status: StatusLine): (handshake: DeployedHandshake) => void {
  let shown: unknown
  return (handshake) => {
    const { phase, counts, cell, trouble } = handshake
    const { accepted, missed } = counts
    const duration = cell?.lastDuration
    const after = [
      accepted > 0 ? `· ${grouped(accepted)}` : '',
      duration === undefined ? '' : `· ${took(duration)}`,
    ].filter(Boolean)
    // A trouble of the connection stays until the PLC is seen again; one that was reported before is not reported again.
    if (phase !== 'unknown') status.left(undefined)
    else if (trouble !== undefined && trouble !== shown) status.left(asVisionError(trouble))
    shown = phase === 'unknown' ? trouble : undefined
    const slowness = phase === 'ready' || phase === 'done' ? cell?.slowness : undefined
    const word = phase === 'unknown' ? missingOf(handshake) : words[phase]
    const more = {
      ...(after.length > 0 && { after: after.join(' ') }),
      ...(missed > 0 && { remark: { word: 'plcMissed' as const, count: missed } }),
    }
    // Two digits: a figure that changes with each answer says no more.
    if (slowness === undefined) status.background(word, 0, more)
    else status.background('plcSlow', took(Number(slowness.toPrecision(2))), more)
  }
}
