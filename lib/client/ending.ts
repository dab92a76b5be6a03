import { sentence } from './sentences'
import type { Failure } from './vision-error'

/** No connection came about in time; nothing was sent. */
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

/** A write was sent, and its time is over. */
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

/** The end of a write of which nobody knows whether it took effect. */
export const outcomeUnknown = (unsettled: Failure, { cause }: Partial<Failure> = {}): Failure => ({
  code: 'OUTCOME_UNKNOWN',
  key: 'outcome-unknown',
  values: { reason: unsettled.values?.reason },
  ...(cause && { cause }),
})
