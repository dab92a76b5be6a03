import { withoutEnd } from '../codec/json'
import type { ReturnCode } from '../contract'

/** Characters of an error body that are kept. */
const keptCharacters = 4096
/** Characters of a device's message that are passed on. */
const saidCharacters = 300

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined

/** Reads `return_code` from the body of an error. */
export function returnCodeIn(body: unknown): ReturnCode | undefined {
  const code = fieldOf(body, 'return_code')
  const value = fieldOf(code, 'value')
  const message = fieldOf(code, 'message')
  return typeof value === 'number'
    ? { value, message: typeof message === 'string' ? message : '' }
    : undefined
}

/** Reads the message from the body of an error, without its full stop. HTML pages are not quoted. */
export function saidIn(body: unknown): string | undefined {
  const message = fieldOf(body, 'message') ?? returnCodeIn(body)?.message ?? body
  if (typeof message !== 'string' || /^\s*</.test(message)) return undefined
  const text = message.replace(/\s+/g, ' ').slice(0, saidCharacters)
  return withoutEnd(text, '. ').trim() || undefined
}

/** The part of an error body that is kept in the cause. */
export function keptOf(body: unknown): unknown {
  if (typeof body === 'string') return body.slice(0, keptCharacters)
  const text = JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  ) as string | undefined
  return text !== undefined && text.length > keptCharacters ? text.slice(0, keptCharacters) : body
}
