import type { AttemptFailure } from './attempt-failure'
import { type Cause, clientSentences, type Failure } from './vision-error'

/** No connection in time; nothing was sent. */
export const notConnected = (milliseconds: number): Failure => ({
  code: 'UNREACHABLE',
  key: 'connect-deadline',
  values: { milliseconds },
})

/** The call did not get its turn in time. */
export const noTurnWithin = (milliseconds: number): Failure => ({
  code: 'TIMEOUT',
  key: 'timeout-waiting',
  values: { milliseconds },
})

/** The call was sent and its deadline has passed. */
export const noAnswerWithin = (milliseconds: number, language: string): Failure =>
  silence('reason-deadline', milliseconds, language)

/** An upload began, and then the device stopped accepting data. */
export const stoodStill = (milliseconds: number, language: string): Failure =>
  silence('reason-stalled', milliseconds, language)

function silence(why: 'reason-deadline' | 'reason-stalled', milliseconds: number, language: string): Failure {
  const values = { milliseconds }
  return {
    code: 'TIMEOUT',
    key: 'timeout',
    values: { ...values, reason: clientSentences.say(why, values, language) },
  }
}

/** The file of an upload cannot be read; nothing was sent. */
export const unreadableFile = (file: string | undefined, error: unknown): Failure => ({
  code: 'INVALID_INPUT',
  key: 'unreadable-file',
  values: { file },
  cause: { detail: error instanceof Error ? error.message : String(error) },
})

/** A failure that leaves no time for a repetition. */
export const tooLate = (failure: Failure): Failure =>
  failure.code === 'RATE_LIMITED' && failure.cause?.retryAfter !== undefined
    ? { ...failure, key: 'rate-limited-wait' }
    : failure

/**
 * Fails a write whose outcome is unknown.
 * @param cause what is known about its last attempt
 */
export const outcomeUnknown = (unsettled: AttemptFailure, cause: Cause | undefined): Failure => ({
  code: 'OUTCOME_UNKNOWN',
  key: unsettled.untold === 'unclear' ? 'outcome-unclear' : 'outcome-unknown',
  values: { reason: unsettled.values?.reason },
  ...(cause && { cause }),
})

/** A failure on this side, not the device's. */
export const faultHere = (error: unknown, maybeDone: boolean): Failure => {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    code: 'INTERNAL',
    key: maybeDone ? 'internal-sent' : 'internal',
    values: { detail },
    cause: { detail },
  }
}
