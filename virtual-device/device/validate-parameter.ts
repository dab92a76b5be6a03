import type { ParameterDefinition, ParameterType, ParameterValue } from '../parameter'
import { Refusal } from '../refusal'
import { shown } from '../shown'

/** A value from a query string, whose type depends on the parameter. */
export class QueryText {
  constructor(readonly text: string) {}
}

const longestText = 1000
const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/**
 * Validates a value for a parameter.
 * @returns the value as stored
 * @throws Refusal 400 naming the parameter, the value and the type, limit or choices
 */
export function validated(parameter: ParameterDefinition, given: unknown): ParameterValue {
  const value = given instanceof QueryText ? fromText(given.text, parameter.type) : given
  const refused = (why: string) => new Refusal(400, `${parameter.name}: ${why}`)
  switch (parameter.type) {
    case 'bool':
      if (typeof value !== 'boolean') throw refused(`expected true or false, got ${shown(value)}`)
      return value
    case 'string':
      if (typeof value !== 'string') throw refused(`expected a string, got ${shown(value)}`)
      if (parameter.choices && !parameter.choices.includes(value))
        throw refused(`${shown(value)} must be one of ${parameter.choices.join(', ')}`)
      if (value.length > longestText) throw refused(`longer than ${longestText} characters`)
      return value
    case 'int32':
    case 'float64': {
      const wanted = parameter.type === 'int32' ? 'an integer' : 'a number'
      if (
        typeof value !== 'number' ||
        !Number.isFinite(value) ||
        (parameter.type === 'int32' && value % 1 !== 0)
      )
        throw refused(`expected ${wanted}, got ${shown(value)}`)
      const unit = parameter.unit ? ` ${parameter.unit}` : ''
      if (typeof parameter.max === 'number' && value > parameter.max)
        throw refused(`${value} is above the maximum of ${parameter.max}${unit}`)
      if (typeof parameter.min === 'number' && value < parameter.min)
        throw refused(`${value} is below the minimum of ${parameter.min}${unit}`)
      return value
    }
  }
}

/** Text that cannot be converted is refused as text. */
function fromText(text: string, type: ParameterType): unknown {
  if (type === 'string') return text
  if (type === 'bool') {
    if (/^(true|1)$/i.test(text)) return true
    return /^(false|0)$/i.test(text) ? false : text
  }
  return number.test(text) ? Number(text) : text
}
