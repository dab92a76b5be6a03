import { invalidInput } from './sentences'
import { shown } from './shown'

/** A number of a message, or undefined where there is none. @throws INVALID_INPUT where it is something else */
export function optionalNumber(field: string, value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw invalidInput('number-or-nothing', { field, value: shown(value) })
}
