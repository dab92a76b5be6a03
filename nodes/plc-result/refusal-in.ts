import { returnCodeIn } from '../../lib/client/said'
import { isPassedOn } from '../../lib/plc/codes'

/**
 * The code of a service that did not do its work, in the answer that a message carries: negative, or 101 and 102 of an
 * acquisition that was ignored. Of other services these are remarks. 0 otherwise.
 */
export function refusalIn(msg: { payload?: unknown; service?: unknown }): number {
  const value = returnCodeIn(msg.payload)?.value ?? 0
  if (!isPassedOn(value)) return 0
  return value < 0 || msg.service === 'acquisition_trigger' ? value : 0
}
