import { Float64 } from './float64'
import { deepest, tooDeep } from './nesting'
import { quoted, quotedKey } from './quoted'

/**
 * The value as `JSON.stringify` writes it, but with {@link Float64} numbers as the device prints them, always with a
 * decimal point or an exponent, and bigints as digits. A value that JSON leaves out, such as `undefined`, is `null`.
 * @throws RangeError for a value that contains itself or is nested more than 200 levels deep
 */
export const renderJson = (value: unknown): string => render(value, '', 0) ?? 'null'

/** `undefined` for what JSON leaves out. */
function render(value: unknown, key: string | number, depth: number): string | undefined {
  if (typeof value !== 'object') {
    return typeof value === 'function' && hasToJson(value)
      ? renderFinal(value.toJSON(String(key)), depth)
      : renderPrimitive(value)
  }
  if (value === null) return 'null'
  if (value instanceof Float64) return printedFloat(value.value)
  return renderFinal(hasToJson(value) ? value.toJSON(String(key)) : value, depth)
}

/** A value whose `toJSON` has been called already. */
function renderFinal(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : renderPrimitive(value)
  if (value instanceof Float64) return printedFloat(value.value)
  if (Array.isArray(value)) return renderList(value, depth)
  return value instanceof Number ||
    value instanceof String ||
    value instanceof Boolean ||
    value instanceof BigInt
    ? renderPrimitive(value.valueOf())
    : renderFields(value as Record<string, unknown>, depth)
}

function renderPrimitive(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null'
    case 'boolean':
    case 'bigint':
      return `${value}`
    default:
      return undefined
  }
}

function renderList(list: readonly unknown[], depth: number): string {
  if (depth === deepest) throw tooDeep()
  let text = '['
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text += ','
    text += render(list[index], index, depth + 1) ?? 'null'
  }
  return `${text}]`
}

function renderFields(fields: Record<string, unknown>, depth: number): string {
  if (depth === deepest) throw tooDeep()
  let text = ''
  for (const key of Object.keys(fields)) {
    const field = render(fields[key], key, depth + 1)
    if (field !== undefined) text += `${text === '' ? '{' : ','}${quotedKey(key)}${field}`
  }
  return text === '' ? '{}' : `${text}}`
}

/** `25.0`, `-0.0`, `0.1`, `1e+21`: whole numbers get a decimal point, by which typed clients know them. */
function printedFloat(value: number): string {
  if (Number.isInteger(value)) {
    return Math.abs(value) < 1e21 ? `${Object.is(value, -0) ? '-0' : value}.0` : `${value}`
  }
  return Number.isFinite(value) ? `${value}` : 'null'
}

const hasToJson = (value: object): value is { toJSON: (key: string) => unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === 'function'
