import { number } from '../number'
import type { NodeDescription, NumberField } from './description'
import type { NumberName } from './fields-of'

/** Undefined if an optional field is empty. */
type NumberIn<Of> = Of extends { optional: true } ? number | undefined : number

/**
 * Reads a number from a node's settings, in the unit of its field, rounded down if it must be whole.
 * @throws INVALID_INPUT naming the field and its bounds
 */
export function numberOf<Description extends NodeDescription, Name extends NumberName<Description>>(
  description: Description,
  fields: Readonly<Record<Name, string | number>>,
  name: Name,
): NumberIn<Description['fields'][Name]>
export function numberOf(
  { fields: described }: NodeDescription,
  fields: Readonly<Record<string, string | number>>,
  name: string,
): number | undefined {
  const { least, most, zero, whole, optional } = described[name] as NumberField
  if (optional && fields[name] === '') return undefined
  const value = number(name, fields[name], least, most, zero)
  return whole ? Math.floor(value) : value
}
