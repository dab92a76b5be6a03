import { returnCodeIn } from '../../lib/client/said'
import { triggerRemarks } from '../../lib/contract/reading/values'
import { isPassedOn, type Failure } from '../../lib/plc/codes'

/** The parts of a message that tell whether the device did its work. */
interface Told {
  payload?: unknown
  service?: unknown
  /** Of *acquire*. */
  acquisition?: unknown
}

/** Whether an image set proves that a frame was taken; undefined where no *acquire* took one. */
export function provenIn({ acquisition }: Told): boolean | undefined {
  const { proven } = Object(acquisition) as { proven?: unknown }
  return typeof proven === 'boolean' ? proven : undefined
}

/**
 * Why the work was not done, though no node reported an error: a service that answered a negative code, or 101 and 102 of
 * an acquisition that was ignored (of other services these are remarks); or an acquisition without proof.
 */
export function refusalIn(msg: Told): Failure | undefined {
  const { doubt } = Object(msg.acquisition) as { doubt?: unknown }
  if (doubt === 'pending') return { returnCode: triggerRemarks.pending }
  if (provenIn(msg) === false) return { code: 'UNPROVEN' }
  const value = returnCodeIn(msg.payload)?.value ?? 0
  const isRefused = isPassedOn(value) && (value < 0 || msg.service === 'acquisition_trigger')
  return isRefused ? { returnCode: value } : undefined
}
