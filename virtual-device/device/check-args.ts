import type { Shape } from '../../lib/contract'
import { Refusal } from '../refusal'
import { shown } from '../shown'

const integers: Readonly<Record<string, readonly [number, number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint64: [0, Number.MAX_SAFE_INTEGER],
}

/**
 * The arguments in the shape; others are removed.
 * @param required paths of required fields, `pose.position.x`
 * @throws Refusal 400 naming the field and its type
 */
export function checkedArgs(
  args: Readonly<Record<string, unknown>>,
  shape: Shape,
  required: readonly string[] = [],
): Record<string, unknown> {
  const checked = check(args, shape, 'args') as Record<string, unknown>
  for (const path of required) {
    let field: unknown = checked
    let soFar = 'args'
    for (const key of path.split('.')) {
      field = (field as Record<string, unknown>)[key]
      soFar += `.${key}`
      if (field === undefined) throw new Refusal(400, `${soFar}: missing`)
    }
  }
  return checked
}

function check(value: unknown, shape: Shape, path: string): unknown {
  if (typeof shape === 'string') return checkLeaf(value, shape, path)
  if (isList(shape)) {
    if (!Array.isArray(value)) throw wrong(path, 'an array', value)
    const [each] = shape
    return each === undefined ? value : value.map((item, index) => check(item, each, `${path}[${index}]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(path, 'an object', value)
  const checked: Record<string, unknown> = {}
  for (const [key, fieldShape] of Object.entries(shape)) {
    const field = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
    if (field !== undefined) checked[key] = check(field, fieldShape, `${path}.${key}`)
  }
  return checked
}

function checkLeaf(value: unknown, type: string, path: string): unknown {
  const limits = integers[type]
  if (limits) {
    const number = typeof value === 'bigint' ? Number(value) : value
    if (typeof number !== 'number' || !Number.isInteger(number)) throw wrong(path, 'an integer', value)
    const [min, max] = limits
    if (number < min || number > max)
      throw new Refusal(400, `${path}: ${number} is out of range for ${type}, ${min} to ${max}`)
    return number
  }
  switch (type) {
    case 'float64':
    case 'float32':
      if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(path, 'a number', value)
      return value
    case 'bool':
      if (typeof value !== 'boolean') throw wrong(path, 'true or false', value)
      return value
    case 'string':
      if (typeof value !== 'string') throw wrong(path, 'a string', value)
      return value
    default:
      return value
  }
}

const wrong = (path: string, expected: string, value: unknown) =>
  new Refusal(400, `${path}: expected ${expected}, got ${shown(value)}`)

const isList = (shape: Shape): shape is readonly [Shape] | readonly [] => Array.isArray(shape)
