import type { Repeat } from './plan'
import type { NetworkFailure } from './network-failure'

/** Milliseconds: the first wait is up to this long, every further one up to twice as long as the one before. */
const firstWait = 200
const longestWait = 5000

/** What to do after a failed attempt. */
type Next = 'repeat' | 'read-back' | 'fail'

/**
 * Whether a call may be sent again.
 * Not sent, or 429: the device did nothing, so always. Starting: whatever does no harm twice. Sent and not answered: a
 * read again; a write whose effect can be read is looked up; any other write is left alone, its outcome unknown.
 */
export function nextAfter(failure: NetworkFailure, repeat: Repeat): Next {
  if (failure.final) return 'fail'
  if (failure.code === 'RATE_LIMITED') return 'repeat'
  if (failure.code === 'STARTING') return repeat === 'once' ? 'fail' : 'repeat'
  if (failure.code !== 'UNREACHABLE') return 'fail'
  if (!failure.lost || repeat === 'read') return 'repeat'
  return repeat === 'settled' ? 'read-back' : 'fail'
}

/**
 * Milliseconds to wait before repetition number `count`, from 1: what the device asked for, in full, or else anything
 * up to a limit that doubles (full jitter), so that many clients do not come back at the same time.
 */
export function waitBefore(count: number, retryAfter: number | undefined, random: () => number): number {
  if (retryAfter !== undefined) return retryAfter * 1000
  return random() * Math.min(longestWait, firstWait * 2 ** (count - 1))
}
