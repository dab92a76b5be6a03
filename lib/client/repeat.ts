import { retryPause } from '../kernel/connection'
import type { AbsenceReason } from './absence'
import type { AttemptFailure } from './attempt-failure'

/** Whether the device did not execute the request and may do so next time: nothing was sent, or it answered 429. */
export const mayPass = ({ code, untold, final }: AttemptFailure): boolean =>
  !final && !untold && (code === 'RATE_LIMITED' || code === 'UNREACHABLE')

/** Whether a request that is harmless to repeat may succeed next time. */
export const mayAnswer = (failure: AttemptFailure): boolean =>
  mayPass(failure) || (!failure.final && (failure.code === 'STARTING' || failure.code === 'UNREACHABLE'))

/**
 * Why the device takes no requests at present; undefined if it does, or if waiting will not help: a host name that
 * cannot be resolved is more often misspelled than missing for a moment.
 * @param failure of a request that was not sent or is harmless to repeat
 */
export function absenceIn({ code, untold, final, cause }: AttemptFailure): AbsenceReason | undefined {
  if (final) return undefined
  if (code === 'STARTING') return code
  return code === 'UNREACHABLE' && !untold && cause?.reason !== 'ENOTFOUND' ? code : undefined
}

/**
 * Milliseconds to wait before repetition number `count`, from 1: the full time that the device asked for, or a random
 * time up to a limit that doubles (full jitter), so that many clients do not return at the same moment.
 */
export function waitBefore(count: number, retryAfter: number | undefined, random: () => number): number {
  if (retryAfter !== undefined) return retryAfter * 1000
  return retryPause(count - 1, { shortest: 0, random })
}
