import { invalidInput } from './sentences'

/**
 * Reads a number from a setting; it may come from an environment variable, and is then a text. Every setting has both
 * bounds: a time without them would become a timer that overflows.
 * @throws INVALID_INPUT naming the field and its bounds
 */
export function number(field: string, given: unknown, least: number, most: number): number {
  const value = given === '' || given === null ? NaN : Number(given)
  if (value >= least && value <= most) return value
  throw invalidInput('number-out-of-range', { field, least, most, value: String(given) })
}
