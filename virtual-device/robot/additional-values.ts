import { Type, Value, type Static } from '../../lib/typebox'

const AdditionalValue = Type.Object({
  json_path: Type.String({ minLength: 1 }),
  target_field: Type.String({ pattern: '^data_([4-9]|10)$' }),
  type: Type.Union([Type.Literal('float'), Type.Literal('int')]),
})
type AdditionalValue = Static<typeof AdditionalValue>

const AdditionalReturn = Type.Object({
  primary: Type.Optional(Type.Array(AdditionalValue)),
  related: Type.Optional(Type.Array(AdditionalValue)),
})
/** The values that a job returns with each of its poses. */
export type AdditionalReturn = Static<typeof AdditionalReturn>

/** The `additional_return` of a job; undefined if it cannot be used. */
export const additionalReturn = (given: unknown = {}): AdditionalReturn | undefined =>
  Value.Check(AdditionalReturn, given ?? {}) ? (given ?? {}) : undefined

const firstField = 4

/**
 * data_4 to data_10: a float times a million, an int as it is, 0 for what is missing or no number.
 * @param element that the pose is from
 * @param answer of the service, where paths with a leading dot begin
 */
export function additionalValues(
  wanted: readonly AdditionalValue[] = [],
  element: unknown,
  answer: unknown,
): number[] {
  const values = Array<number>(7).fill(0)
  for (const { json_path, target_field, type } of wanted) {
    const found = json_path.startsWith('.') ? at(answer, json_path.slice(1)) : at(element, json_path)
    const value = typeof found === 'number' ? found : 0
    values[Number(target_field.slice('data_'.length)) - firstField] = type === 'float' ? value * 1e6 : value
  }
  return values
}

/** @param path names of fields, or indices of a list, with dots between them */
function at(from: unknown, path: string): unknown {
  let found = from
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}
