import { VisionError, type Cause } from '../../../lib/client/vision-error'
import type { ErrorCode } from '../../../lib/contract'
import { detailOf } from '../node-error'

/** An error as sent to the editor. */
export interface AdminRefusal {
  code: ErrorCode | 'failed'
  /** A sentence in the language of the editor. */
  message: string
  cause?: Cause
}

/** Never 401, which the editor treats as the end of its own session. */
const statuses: Partial<Record<string, number>> = {
  INVALID_INPUT: 400,
  BAD_REQUEST: 400,
  NOT_FOUND: 404,
  REFUSED: 409,
  FORBIDDEN: 409,
  TOO_LARGE: 413,
  BUSY: 503,
  TIMEOUT: 504,
}
const gatewayError = 502

export function refusalOf(error: unknown, language?: string): { status: number; body: AdminRefusal } {
  if (!(error instanceof VisionError))
    return { status: 500, body: { code: 'failed', message: detailOf(error) } }
  const { code, cause } = error
  const message = error.inLanguage(language)
  return { status: statuses[code] ?? gatewayError, body: { code, message, ...(cause && { cause }) } }
}
