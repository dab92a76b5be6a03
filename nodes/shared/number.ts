import { invalidInput } from './node-error'

/**
 * A number of a setting, which may come from an environment variable and so as text.
 * @throws INVALID_INPUT naming the field
 */
export function number(field: string, given: unknown, least: number): number {
  const value = given === '' || given === null ? NaN : Number(given)
  if (value >= least && Number.isFinite(value)) return value
  throw invalidInput('number-too-small', { field, least, value: String(given) })
}
