import type { Parameter } from '../../lib/contract'
import { parameterUnit } from '../../lib/contract/reading/parameter-unit'
import type { Leaf } from '../../lib/contract/reading/form/form-shape'
import { parameterLeaf } from '../../lib/contract/reading/form/parameter-leaf'
import { limitsText, valueText } from '../parameter-text'
import { sharedText } from '../shared-text'

/** The shape of a parameter, with its limits, unit, default and present value. */
export const parameterShape = (record: Parameter): Leaf => ({
  ...parameterLeaf(record),
  about: parameterAbout(record),
})

/** `Now 25 Hz; 1 to 25 Hz; default 25 Hz`. */
export function parameterAbout(record: Parameter): string {
  const unit = parameterUnit(record)
  return [
    sharedText('present.now', { value: valueText(record.value, unit) }),
    limitsText(record),
    sharedText('present.byDefault', { value: valueText(record.default, unit) }),
  ]
    .filter(Boolean)
    .join('; ')
}
