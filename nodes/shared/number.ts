import { invalidInput } from './sentences'
import { shown } from './shown'

/**
 * Reads a number from a setting; it may come from an environment variable, and is then a text. Every setting has both
 * bounds: a time without them would become a timer that overflows.
 * @param zero whether 0 is allowed too, below the minimum: it switches something off
 * @throws INVALID_INPUT naming the field and its bounds
 */
export function number(field: string, given: unknown, least: number, most: number, zero = false): number {
  const value = plainNumber(given)
  if ((value >= least && value <= most) || (zero && value === 0)) return value
  throw invalidInput(zero ? 'number-out-of-range-or-zero' : 'number-out-of-range', {
    field,
    least,
    most,
    value: typeof given === 'string' ? given : shown(given),
  })
}

/** A number, or a text that says nothing but a number; otherwise NaN. */
const plainNumber = (given: unknown): number =>
  typeof given === 'number' || (typeof given === 'string' && given.trim() !== '') ? Number(given) : Number.NaN

const spellings: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, 1: true },
  ...{ false: false, no: false, off: false, 0: false },
}

/** Reads a switch: true or false, or one of the texts by which environment variables say so; undefined for anything else. */
export function switched(given: unknown): boolean | undefined {
  if (typeof given === 'boolean') return given
  if (typeof given !== 'string' && typeof given !== 'number') return undefined
  const spelling = String(given).trim().toLowerCase()
  return Object.hasOwn(spellings, spelling) ? spellings[spelling] : undefined
}
