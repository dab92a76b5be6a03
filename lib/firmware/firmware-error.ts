import { errorsOf, type Cause, type VisionError } from '../client/vision-error'
import type { ErrorCode } from '../contract'
import { sentencesIn, type KeyOf } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'
import type { Failure } from './types'

/** The sentences about an update. */
export const firmwareSentences = sentencesIn<typeof en>(__dirname)
export type FirmwareSentence = KeyOf<typeof firmwareSentences>

const failed = errorsOf(firmwareSentences)

export const firmwareError = (
  code: ErrorCode,
  key: FirmwareSentence,
  values: Record<string, unknown>,
  language?: string,
  cause?: Cause,
): VisionError => failed({ code, key, values, ...(cause && { cause }) }, { language })

/** The system's reason, briefly. */
export const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error))

/** An error as stored in journals. */
export const failureOf = ({ code, message }: VisionError): Failure => ({ code, message })

/** Recreates an error from a journal. */
export const thrown = ({ code, message }: Failure, language?: string): VisionError =>
  firmwareError(code, 'firmware-outcome-said', { text: message }, language)
