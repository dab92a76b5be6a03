import { asFloat } from '../../lib/codec/json-value'
import type { Parameter } from '../../lib/contract'
import type { ParameterDefinition, ParameterValue } from '../parameter'

/**
 * A parameter's record as shown by the device, frozen. Choices are in square brackets in the description, where clients
 * read them; the limits of a string are empty.
 */
export function parameterRecord(definition: ParameterDefinition, value: ParameterValue): Parameter {
  const { name, type, min = '', max = '' } = definition
  const typed = (plain: ParameterValue) =>
    type === 'float64' && typeof plain === 'number' ? asFloat(plain) : plain
  return Object.freeze({
    name,
    type,
    value: typed(value),
    default: typed(definition.default),
    min: typed(min),
    max: typed(max),
    description: described(definition),
  })
}

function described({ description, unit, choices }: ParameterDefinition): string {
  const sentence = description.replace(/\.$/, '')
  const withUnit = unit ? `${sentence} (${unit})` : sentence
  return choices ? `${withUnit}: [${choices.join(', ')}]` : withUnit
}
