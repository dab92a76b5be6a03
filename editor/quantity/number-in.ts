import { quantity } from '../../lib/contract/reading/quantity/quantity'
import { sharedText } from '../shared-text'

/** The number in a text, in the unit of its field, or the reason why there is none. */
export type NumberIn = { value: number; understood?: string } | { reason: string }

/** @param unit of the field; empty for a plain number */
export function numberIn(text: string, unit: string): NumberIn {
  const found = quantity(text, unit)
  if ('value' in found) return found
  if (found.refused === 'number') return { reason: sharedText('reason.number') }
  if (found.refused === 'readings') {
    const [one, other] = found.readings
    return { reason: sharedText('reason.readings', { text: text.trim(), one, other }) }
  }
  const { given, units } = found
  return {
    reason: units.length
      ? sharedText('reason.unit', { given, units: units.join(', ') })
      : sharedText('reason.noUnit', { given }),
  }
}
