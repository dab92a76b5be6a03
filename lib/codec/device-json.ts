import { Float64 } from './float64'
import { HighPrecision } from './high-precision'
import { jsonValue } from './json-value'
import { deepest, tooDeep } from './nesting'

/**
 * Renders a value as `JSON.stringify` does, except that {@link Float64} numbers look as the device prints them, always
 * with a decimal point or an exponent, and bigints and {@link HighPrecision} numbers keep their digits. A value that
 * JSON leaves out, such as `undefined`, is `null`.
 * @throws RangeError for a value that contains itself or is nested more than 200 levels deep
 */
export const renderJson = (value: unknown): string => render(jsonValue(value, ''), 0)

function render(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null'
    case 'boolean':
    case 'bigint':
      return `${value}`
    case 'object':
      if (value === null) return 'null'
      if (value instanceof Float64) return printedFloat(value.value)
      if (value instanceof HighPrecision) return value.digits
      if (depth === deepest) throw tooDeep()
      return Array.isArray(value)
        ? renderList(value, depth + 1)
        : renderFields(value as Record<string, unknown>, depth + 1)
    default:
      return 'null'
  }
}

function renderList(list: readonly unknown[], depth: number): string {
  let text = '['
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text += ','
    text += render(jsonValue(list[index], index), depth)
  }
  return `${text}]`
}

function renderFields(fields: Record<string, unknown>, depth: number): string {
  let text = ''
  for (const key of Object.keys(fields)) {
    const field = jsonValue(fields[key], key)
    if (field !== undefined) text += `${text === '' ? '{' : ','}${quotedKey(key)}${render(field, depth)}`
  }
  return text === '' ? '{}' : `${text}}`
}

/** `25.0`, `-0.0`, `0.1`, `1e+21`: whole numbers get a decimal point, by which typed clients recognise them. */
function printedFloat(value: number): string {
  if (Number.isInteger(value)) {
    return Math.abs(value) < 1e21 ? `${Object.is(value, -0) ? '-0' : value}.0` : `${value}`
  }
  return Number.isFinite(value) ? `${value}` : 'null'
}

const escaped = /["\\\u0000-\u001f\ud800-\udfff]/
const shortLength = 16

/** A quoted string as `JSON.stringify` writes it; faster for the usual texts, which need no escape. */
function quoted(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text)
}

function isPlain(text: string): boolean {
  if (text.length > shortLength) return !escaped.test(text)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return false
  }
  return true
}

const mostKeys = 1000
const keys = new Map<string, string>()

/** A field name with its quotes and colon. Cached, because the device's bodies repeat a few names. */
function quotedKey(key: string): string {
  let found = keys.get(key)
  if (found === undefined) {
    found = `${quoted(key)}:`
    if (keys.size === mostKeys) keys.clear()
    if (key.length <= 60) keys.set(key, found)
  }
  return found
}
