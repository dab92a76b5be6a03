import { Kind, type TSchema } from '../../lib/typebox'
import { Refusal } from '../refusal'

/** As returned by a query parser: a repeated key has a list of texts. */
export type QueryValue = string | string[] | undefined

/**
 * Converts query text to the type of its schema. Text that cannot be converted stays text and fails the following
 * check.
 * @throws Refusal 400 for a repeated key with only one value allowed
 */
export function convertedQuery(name: string, schema: TSchema, given: QueryValue): unknown {
  if (given === undefined) return undefined
  if (schema[Kind] === 'Array') return Array.isArray(given) ? given : [given]
  if (Array.isArray(given)) throw new Refusal(400, `${name}: given more than once`)
  switch (schema[Kind]) {
    case 'Boolean':
      return /^(true|1)$/i.test(given) ? true : /^(false|0)$/i.test(given) ? false : given
    case 'Integer':
    case 'Number':
      return /^[+-]?\d+(\.\d+)?$/.test(given) ? Number(given) : given
    default:
      return given
  }
}
