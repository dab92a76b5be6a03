import { Kind, OptionalKind, TypeCompiler, type TSchema, type TypeCheck } from '../../lib/typebox'
import { Refusal } from '../refusal'
import { cut, shown } from '../shown'

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()

/**
 * Checks a value. Undefined stays undefined if the field is optional.
 * @throws Refusal 400 naming the field
 */
export function checkedField(name: string, schema: TSchema, given: unknown): unknown {
  if (given === undefined) {
    if (OptionalKind in schema) return undefined
    throw new Refusal(400, `${name}: missing`)
  }
  // Some serializers write an empty object as an empty array.
  const value = schema[Kind] === 'Record' && Array.isArray(given) && !given.length ? {} : given
  let check = compiled.get(schema)
  if (!check) compiled.set(schema, (check = TypeCompiler.Compile(schema)))
  if (check.Check(value)) return value
  const error = check.Errors(value).First()
  const path = cut((error?.path ?? '').replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.'), 100)
  throw new Refusal(400, `${name}${path}: ${shown(error?.value)} is not valid (${error?.message ?? ''})`)
}
