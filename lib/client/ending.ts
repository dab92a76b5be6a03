import type { Failure } from './vision-error'

/** No connection came about in time; nothing was sent. */
export const notConnected = (milliseconds: number): Failure => ({
  code: 'UNREACHABLE',
  key: 'connect-deadline',
  values: { milliseconds },
})

/** A failure after which there is no time for a repetition. */
export const tooLate = (failure: Failure): Failure =>
  failure.code === 'RATE_LIMITED' && failure.cause?.retryAfter !== undefined
    ? { ...failure, key: 'rate-limited-wait' }
    : failure

/** The end of a write of which nobody knows whether it took effect. */
export const outcomeUnknown = (unsettled: Failure, { cause }: Failure): Failure => ({
  code: 'OUTCOME_UNKNOWN',
  key: 'outcome-unknown',
  values: { reason: unsettled.values?.reason },
  ...(cause && { cause }),
})
