import { returnCodeIn } from './said'

/** Redirections mean that the request was not executed here and must go elsewhere. */
const redirections: ReadonlySet<number> = new Set([301, 302, 307, 308])

/**
 * Whether an unsuccessful answer proves that the request was not executed, or is the device's own answer. A gateway
 * sends 502 if the device's answer was lost and 504 if it was late; in both cases the device has executed the request.
 * The table in docs/failures.md tells users the same.
 * @param body the body of the answer, decoded by its content type
 */
export function isWordOnOutcome(status: number, body: unknown): boolean {
  // Someone on the way timed out; the status does not say how much of the request arrived.
  if (status === 408) return false
  if (status >= 400 && status < 500) return true
  if (redirections.has(status)) return true
  // A gateway sends its own 500 as a page or plain text.
  if (status === 500) return typeof body === 'object' && body !== null
  // A gateway may send its message as JSON too, but without a return code.
  return (status === 502 || status === 503) && returnCodeIn(body) !== undefined
}
