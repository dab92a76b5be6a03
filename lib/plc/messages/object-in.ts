import { isPlain, valuesOf, type Reading } from './message'

/** An object with everything that the reader reads, by name. */
export function objectIn(payload: unknown, wanted: readonly string[]): Reading | undefined {
  const values = valuesOf(wanted, payload)
  return isPlain(payload) && values.size > 0 ? { values, complete: true } : undefined
}
