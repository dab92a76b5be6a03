import type { Parameter } from '../../lib/contract'
import { asType } from '../shared/read-fields'
import { shown } from '../shared/shown'
import { choices } from '../../lib/contract/reading/values'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('set-parameter')

/**
 * The value in the device's type. Text that can only mean a number, `true` or `false` is accepted for such parameters.
 * @throws INVALID_INPUT naming the parameter, the value and what is allowed
 */
export function acceptedValue(record: Parameter, given: unknown): unknown {
  const { name, type } = record
  const refuse = (key: 'parameter-type' | 'parameter-choice', expected: string) =>
    invalidInput(key, { parameter: name, value: shown(given), expected })

  const value = asType(type, given)
  if (value === undefined) throw refuse('parameter-type', type)
  if (typeof value === 'string') {
    const allowed = choices(record)
    if (allowed && !allowed.includes(value)) throw refuse('parameter-choice', allowed.join(', '))
  }
  if (typeof value !== 'number') return value
  const [least, most] = limits(record)
  if (value < least || value > most) {
    throw invalidInput('parameter-limits', { parameter: name, value, least, most })
  }
  return value
}

/** The record's limits, narrowed to the range of its integer type. */
function limits({ type, min, max }: Parameter): [least: number, most: number] {
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  const span = bits ? 2 ** (Number(bits) - (sign ? 0 : 1)) : Infinity
  const least = bits && sign ? 0 : -span
  const most = bits ? span - 1 : span
  return [typeof min === 'number' ? min : least, typeof max === 'number' ? max : most]
}
