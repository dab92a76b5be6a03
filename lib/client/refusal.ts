import type { OperationId, ReturnCode } from '../contract'
import { saidIn } from './said'
import { sentence } from './sentences'
import { VisionError } from './vision-error'

/** What a service said instead of doing it. `value` is its negative code, or 0 where it gave none. */
export interface Refusal extends ReturnCode {
  /** Which of the device's three ways of refusing this was. */
  by: 'return_code' | 'success' | 'accepted'
}

interface Refused {
  operation: OperationId
  /** Name of the service or whatever was refused. */
  what: string
  /** Address of the device, as `client.address` shows it. */
  device: string
  /** @default 'en-US' */
  language?: string
}

/**
 * Recognises that a service answered with HTTP 200 and yet did not do it: a negative `return_code.value`,
 * `success: false` (hand-eye services, with a `status`) or `accepted: false` (start, stop, restart).
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

/** The `REFUSED` error of a refusal; its cause carries value and message as `returnCode`. */
export function refusedError({ value, message }: Refusal, { operation, what, device, language }: Refused) {
  const text = saidIn(message)
  const said = text === undefined ? '' : sentence('said', { text }, language)
  return new VisionError(
    {
      code: 'REFUSED',
      key: 'refused',
      values: { what, said, value },
      cause: { status: 200, returnCode: { value, message } },
    },
    { operation, device, language },
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const text = (value: unknown) => (typeof value === 'string' ? value : '')
