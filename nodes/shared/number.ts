import { invalidInput } from './sentences'

/**
 * Reads a number from a setting; it may come from an environment variable, and is then a text. Every setting has both
 * bounds: a time without them would become a timer that overflows.
 * @param zero whether 0 is allowed too, below the minimum: it switches something off
 * @throws INVALID_INPUT naming the field and its bounds
 */
export function number(field: string, given: unknown, least: number, most: number, zero = false): number {
  const value = given === '' || given === null ? NaN : Number(given)
  if ((value >= least && value <= most) || (zero && value === 0)) return value
  throw invalidInput(zero ? 'number-out-of-range-or-zero' : 'number-out-of-range', {
    field,
    least,
    most,
    value: String(given),
  })
}
