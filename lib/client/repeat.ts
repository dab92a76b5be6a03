import type { AttemptFailure } from './attempt-failure'

/** Milliseconds: the first wait is up to this long, every further one up to twice as long as the one before. */
const firstWait = 200
const longestWait = 5000

/** Whether the device did nothing, and may do it the next time: nothing was sent, or 429. */
export const mayPass = ({ code, untold, final }: AttemptFailure): boolean =>
  !final && !untold && (code === 'RATE_LIMITED' || code === 'UNREACHABLE')

/** Whether a request that does no harm twice may be answered the next time. */
export const mayAnswer = (failure: AttemptFailure): boolean =>
  mayPass(failure) || (!failure.final && (failure.code === 'STARTING' || failure.code === 'UNREACHABLE'))

/**
 * Milliseconds to wait before repetition number `count`, from 1: what the device asked for, in full, or else anything
 * up to a limit that doubles (full jitter), so that many clients do not come back at the same time.
 */
export function waitBefore(count: number, retryAfter: number | undefined, random: () => number): number {
  if (retryAfter !== undefined) return retryAfter * 1000
  return random() * Math.min(longestWait, firstWait * 2 ** (count - 1))
}
