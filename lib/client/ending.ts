import type { AttemptFailure } from './attempt-failure'
import { sentence } from './sentences'
import type { Cause, Failure } from './vision-error'

/** No connection was established in time; nothing was sent. */
export const notConnected = (milliseconds: number): Failure => ({
  code: 'UNREACHABLE',
  key: 'connect-deadline',
  values: { milliseconds },
})

/** The call's turn has not come in time. */
export const noTurnWithin = (milliseconds: number): Failure => ({
  code: 'TIMEOUT',
  key: 'timeout-waiting',
  values: { milliseconds },
})

/** A call was sent, and its time is over. */
export const noAnswerWithin = (milliseconds: number, language: string): Failure =>
  silence('reason-deadline', milliseconds, language)

/** An upload was begun, and the device took nothing more of it. */
export const stoodStill = (milliseconds: number, language: string): Failure =>
  silence('reason-stalled', milliseconds, language)

function silence(why: 'reason-deadline' | 'reason-stalled', milliseconds: number, language: string): Failure {
  const values = { milliseconds }
  return { code: 'TIMEOUT', key: 'timeout', values: { ...values, reason: sentence(why, values, language) } }
}

/** The file of an upload cannot be read; nothing was sent. */
export const unreadableFile = (file: string | undefined, error: unknown): Failure => ({
  code: 'INVALID_INPUT',
  key: 'unreadable-file',
  values: { file },
  cause: { detail: error instanceof Error ? error.message : String(error) },
})

/** A failure after which there is no time for a repetition. */
export const tooLate = (failure: Failure): Failure =>
  failure.code === 'RATE_LIMITED' && failure.cause?.retryAfter !== undefined
    ? { ...failure, key: 'rate-limited-wait' }
    : failure

/**
 * The end of a write of which nobody knows whether it took effect.
 * @param cause what is known about its last attempt
 */
export const outcomeUnknown = (unsettled: AttemptFailure, cause: Cause | undefined): Failure => ({
  code: 'OUTCOME_UNKNOWN',
  key: unsettled.untold === 'unclear' ? 'outcome-unclear' : 'outcome-unknown',
  values: { reason: unsettled.values?.reason },
  ...(cause && { cause }),
})

/** What went wrong here, and not with the device. */
export const faultHere = (error: unknown, maybeDone: boolean): Failure => {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    code: 'INTERNAL',
    key: maybeDone ? 'internal-sent' : 'internal',
    values: { detail },
    cause: { detail },
  }
}
