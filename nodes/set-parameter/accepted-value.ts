import type { Parameter } from '../../lib/contract'
import { invalidInput } from '../shared/node-error'
import { choices } from './choices'

/**
 * The value as the device takes it. Text that can only mean a number, `true` or `false` is accepted for such parameters.
 * @throws INVALID_INPUT naming the parameter, the value and what is allowed
 */
export function acceptedValue(record: Parameter, given: unknown): unknown {
  const { name, type } = record
  const refuse = (key: 'parameter-type' | 'parameter-choice', expected: string) =>
    invalidInput(key, { parameter: name, value: shown(given), expected })

  if (type === 'bool') {
    const value = given === 'true' ? true : given === 'false' ? false : given
    if (typeof value !== 'boolean') throw refuse('parameter-type', 'bool')
    return value
  }
  if (type === 'string') {
    if (typeof given !== 'string') throw refuse('parameter-type', 'string')
    const allowed = choices(record)
    if (allowed && !allowed.includes(given)) throw refuse('parameter-choice', allowed.join(', '))
    return given
  }
  if (!/^(u?int|float)\d+$/.test(type)) return given

  const value = typeof given === 'string' && given.trim() ? Number(given) : given
  const isInteger = !type.startsWith('float')
  if (typeof value !== 'number' || !Number.isFinite(value)) throw refuse('parameter-type', type)
  if (isInteger && !Number.isInteger(value)) throw refuse('parameter-type', type)
  const [least, most] = limits(record)
  if (value < least || value > most) {
    throw invalidInput('parameter-limits', { parameter: name, value, least, most })
  }
  return value
}

/** The record's limits, narrowed by what an integer type can hold. */
function limits({ type, min, max }: Parameter): [least: number, most: number] {
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  const span = bits ? 2 ** (Number(bits) - (sign ? 0 : 1)) : Infinity
  const least = bits && sign ? 0 : -span
  const most = bits ? span - 1 : span
  return [typeof min === 'number' ? min : least, typeof max === 'number' ? max : most]
}

function shown(value: unknown): string {
  const text = (JSON.stringify(value) as string | undefined) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
