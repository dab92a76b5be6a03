import type { ReturnCode } from '../schemas/pipeline'

/** A service's refusal. `value` is its negative code, or 0 if it gave none. */
export interface Refusal extends ReturnCode {
  /** Which of the device's three ways of refusing was used. */
  by: 'return_code' | 'success' | 'accepted'
}

/**
 * Recognises that a service answered with HTTP 200 but did not do its work: a negative `return_code.value`, `success:
 * false` (hand-eye services, with a `status`) or `accepted: false` (start, stop, restart).
 * @param response the `response` of a service's answer
 */
export function refusal(response: unknown): Refusal | undefined {
  if (!isObject(response)) return undefined
  const { return_code: code, success, accepted, message, status, current_state: state } = response
  if (isObject(code) && typeof code.value === 'number' && code.value < 0)
    return { by: 'return_code', value: code.value, message: text(code.message) }
  if (success === false)
    return { by: 'success', value: typeof status === 'number' ? status : 0, message: text(message) }
  if (accepted === false) return { by: 'accepted', value: 0, message: text(message) || text(state) }
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const text = (value: unknown) => (typeof value === 'string' ? value : '')
