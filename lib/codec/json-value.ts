import { Float64 } from './float64'
import { HighPrecision } from './high-precision'

/**
 * The value that JSON writes: the result of `toJSON`, boxed values unboxed, `undefined` for what it leaves out. Our own
 * number classes stay as they are.
 */
export function jsonValue(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object') {
    if (typeof value !== 'function' && typeof value !== 'symbol') return value
    return hasToJson(value) ? unboxed(value.toJSON(String(key))) : undefined
  }
  if (value === null || value instanceof Float64) return value
  if (hasToJson(value) && !(value instanceof HighPrecision)) return unboxed(value.toJSON(String(key)))
  return unboxed(value)
}

function unboxed(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  return value instanceof Number ||
    value instanceof String ||
    value instanceof Boolean ||
    value instanceof BigInt
    ? value.valueOf()
    : value
}

const hasToJson = (value: object | symbol): value is { toJSON: (key: string) => unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === 'function'
