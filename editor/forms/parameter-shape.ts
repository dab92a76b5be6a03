import type { Parameter } from '../../lib/contract'
import { choices } from '../../lib/contract/reading/choices'
import type { Leaf } from '../../nodes/shared/form/shape'
import { limitsText, unitOf, valueText } from '../parameter-text'
import { sharedText } from '../shared-text'

/** What a parameter takes, with its limits, unit, default and present value. */
export function parameterShape(record: Parameter): Leaf {
  const { type, min, max } = record
  const unit = unitOf(record)
  const texts = choices(record)
  return {
    is: 'leaf',
    type,
    required: true,
    mayBeEmpty: type === 'string' && !texts,
    about: parameterAbout(record),
    ...(texts && { choices: texts }),
    ...(unit && { unit }),
    ...(typeof min === 'number' && { min }),
    ...(typeof max === 'number' && { max }),
  }
}

/** `Now 25 Hz; 1 to 25 Hz; default 25 Hz`. */
export function parameterAbout(record: Parameter): string {
  const unit = unitOf(record)
  return [
    sharedText('present.now', { value: valueText(record.value, unit) }),
    limitsText(record),
    sharedText('present.byDefault', { value: valueText(record.default, unit) }),
  ]
    .filter(Boolean)
    .join('; ')
}
