import type { SentenceKey } from '../client/sentences'
import { VisionError, type Cause } from '../client/vision-error'
import type { ErrorCode } from '../contract'
import type { Failure } from './types'

export type FirmwareSentence = Extract<SentenceKey, `firmware-${string}`>

export const firmwareError = (
  code: ErrorCode,
  key: FirmwareSentence,
  values: Record<string, unknown>,
  language?: string,
  cause?: Cause,
): VisionError => new VisionError({ code, key, values, ...(cause && { cause }) }, { language })

/** What the system says was wrong, briefly. */
export const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error))

/** An error as journals keep it. */
export const failureOf = ({ code, message }: VisionError): Failure => ({ code, message })

/** An error out of a journal. */
export const thrown = ({ code, message }: Failure, language?: string): VisionError =>
  firmwareError(code, 'firmware-outcome-said', { text: message }, language)
