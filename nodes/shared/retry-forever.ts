import { restAfter } from '../../lib/client/error-answer'
import { pauseFor } from '../../lib/kernel/timers'

/** Milliseconds between attempts, growing from the first to the second. */
const [first, longest] = [250, 5000]

/**
 * For a device that is off, a missing network, or a port in use.
 * @param failed an error thrown by it ends the attempts
 * @returns undefined if the signal was aborted first
 */
export async function retryForever<Result>(
  signal: AbortSignal,
  failed: (error: unknown) => void,
  attempt: () => Promise<Result>,
): Promise<Result | undefined> {
  const ended = () => signal.aborted
  for (let pause = first; !ended(); pause = Math.min(2 * pause, longest)) {
    let rest = 0
    try {
      return await attempt()
    } catch (error) {
      if (ended()) return undefined
      failed(error)
      rest = restAfter(error)
    }
    await pauseFor(Math.max(pause, rest), signal)
  }
  return undefined
}
