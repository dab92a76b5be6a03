import { returnCodeIn } from './said'

/** Redirections say by their meaning that the request has to go elsewhere. */
const redirections: ReadonlySet<number> = new Set([301, 302, 307, 308])

/**
 * Whether an answer without success tells that the request was not executed, or is the device's own word on it. A gateway
 * answers 502 where the device's answer was lost and 504 where it was late, and the device has executed the request then.
 * The table in docs/failures.md says the same for users.
 * @param body what was in the answer, read by its content type
 */
export function isWordOnOutcome(status: number, body: unknown): boolean {
  // A request timed out for somebody on the way; which part of it arrived is not said.
  if (status === 408) return false
  if (status >= 400 && status < 500) return true
  if (redirections.has(status)) return true
  // Gateways answer a 500 of their own with a page or plain text.
  if (status === 500) return typeof body === 'object' && body !== null
  // Gateways have messages in JSON too, but no return code.
  return (status === 502 || status === 503) && returnCodeIn(body) !== undefined
}
