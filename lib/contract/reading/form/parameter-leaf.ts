import type { Parameter } from '../../schemas/parameter'
import { choices } from '../choices'
import { parameterUnit } from '../parameter-unit'
import type { Leaf } from './form-shape'
import { leaf } from './leaf'

/** The form of a parameter's value, from the device's record. */
export function parameterLeaf(record: Parameter): Leaf {
  const { type, min, max } = record
  const texts = choices(record)
  return leaf(type, {
    required: true,
    mayBeEmpty: type === 'string' && !texts,
    choices: texts,
    unit: parameterUnit(record) || undefined,
    min: typeof min === 'number' ? min : undefined,
    max: typeof max === 'number' ? max : undefined,
  })
}
