import type { CodeTable } from '../../lib/plc/codes'
import type { HandshakeEvent } from '../../lib/plc/handshake'
import type { LinkState } from '../shared/status-word'

/** What a state of the device means for triggers. */
export function deviceReadiness(state: LinkState, codes: CodeTable): HandshakeEvent {
  if (state === 'ready') return { type: 'device', ready: true }
  if (state === 'starting' || state === 'connecting' || state === 'askedToWait')
    return { type: 'device', ready: false, code: codes.STARTING, reason: 'starting' }
  if (state === 'unreachable')
    return { type: 'device', ready: false, code: codes.UNREACHABLE, reason: 'unreachable' }
  return { type: 'device', ready: false, code: codes.NOT_ALLOWED, reason: 'notSetUp' }
}
