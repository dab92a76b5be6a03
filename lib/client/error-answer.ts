/** Unsuccessful answers: message, return code, whether the request was executed, how long to wait; and refusals. */
import { withoutEnd } from '../codec/json'
import type { ReturnCode, OperationId } from '../contract'
import { isVisionError, clientSentences, VisionError } from './vision-error'
import type { Refusal } from '../contract/reading/values'

const excerptCharacters = 4096 // characters of an error body in the cause

const messageCharacters = 300 // characters of a device's message

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined

export function returnCodeIn(body: unknown): ReturnCode | undefined {
  const code = fieldOf(body, 'return_code')
  const value = fieldOf(code, 'value')
  const message = fieldOf(code, 'message')
  return typeof value === 'number'
    ? { value, message: typeof message === 'string' ? message : '' }
    : undefined
}

/** The message in an error body, without its full stop. HTML pages are not quoted. */
export function messageIn(body: unknown): string | undefined {
  const message = fieldOf(body, 'message') ?? returnCodeIn(body)?.message ?? body
  if (typeof message !== 'string' || /^\s*</.test(message)) return undefined
  const text = message.replace(/\s+/g, ' ').slice(0, messageCharacters)
  return withoutEnd(text, '. ').trim() || undefined
}

export function excerptOf(body: unknown): unknown {
  if (typeof body === 'string') return body.slice(0, excerptCharacters)
  const text = JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  ) as string | undefined
  return text !== undefined && text.length > excerptCharacters ? text.slice(0, excerptCharacters) : body
}

/** Not executed here: the request must go elsewhere. */
const redirections: ReadonlySet<number> = new Set([301, 302, 307, 308])

/**
 * Whether an unsuccessful answer proves that the request was not executed, or is the device's own. A gateway sends 502
 * if the device's answer was lost and 504 if it was late: the device has executed the request. Table for users:
 * docs/failures.md.
 * @param body decoded by its content type
 */
export function isDefinitiveStatus(status: number, body: unknown): boolean {
  // A server timed out; the status does not show how much of the request arrived.
  if (status === 408) return false
  if (status >= 400 && status < 500) return true
  if (redirections.has(status)) return true
  // A gateway sends its own 500 as a page or plain text.
  if (status === 500) return typeof body === 'object' && body !== null
  // A gateway may send its message as JSON too, but without a return code.
  return (status === 502 || status === 503) && returnCodeIn(body) !== undefined
}

/** Seconds: longest Retry-After that endless loops respect; if the device asks for more, they ask once in this time. */
export const longestRest = 300

/** Milliseconds to wait after a failure: its Retry-After, up to five minutes. */
export function restAfter(error: unknown): number {
  const { retryAfter = 0 } = (isVisionError(error) && error.cause) || {}
  return 1000 * Math.min(retryAfter, longestRest)
}

/** In its current and its two obsolete forms. */
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (\d{2}[ -](Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/** Seconds of a Retry-After header (seconds or HTTP date), or undefined. @param now milliseconds since 1970 */
export function parseRetryAfter(
  header: string | string[] | undefined,
  now: number = Date.now(),
): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!text) return undefined
  // Some gateways send fractions, although the standard does not allow them.
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  if (!httpDate.test(text)) return undefined
  // The oldest form names no zone and means GMT.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000)
}

interface Refused {
  operation: OperationId
  what?: string
  device: string
  address?: string
  /** @default 'en-US' */
  language?: string
}

/** Creates the `REFUSED` error for a refusal; its cause carries value and message as `returnCode`. */
export function refusedError(
  { value, message }: Refusal,
  { operation, what, device, address, language }: Refused,
) {
  const text = messageIn(message)
  const said = text === undefined ? '' : clientSentences.say('said', { text }, language)
  return new VisionError(
    {
      code: 'REFUSED',
      key: what === undefined ? 'refused-operation' : 'refused',
      values: { what, said, value },
      cause: { status: 200, returnCode: { value, message } },
    },
    { operation, device, ...(address !== undefined && { address }), language },
  )
}

export { refusal, type Refusal } from '../contract/reading/values'
