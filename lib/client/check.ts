import { inputFields, type Operation } from '../contract'
import { Kind, OptionalKind, Type, TypeCompiler, type TSchema, type TypeCheck } from '../typebox'

/** The first error in a value. */
export interface InputProblem {
  /** `parameters.0.name`, `value`; empty for the whole value. */
  field: string
  /** What the schema expects, in words. */
  expected: string
  kind: 'missing' | 'unknown' | 'invalid'
}

type Check = (value: unknown) => InputProblem | undefined

/** Compiled on first use: most programs need few of the operations. */
function checker(schema: TSchema): Check {
  let compiled: TypeCheck<TSchema> | undefined
  return (value) => {
    compiled ??= TypeCompiler.Compile(schema)
    return compiled.Check(value) ? undefined : firstProblem(compiled, value)
  }
}

/** Checks the input of an operation, and rejects unknown fields. */
export function inputCheck(operation: Operation): Check {
  const fields = inputFields(operation)
  const check = checker(Type.Object(fields, { additionalProperties: false }))
  // `undefined` is valid for a field of any type, but would not be sent.
  const any = Object.keys(fields).filter(
    (name) => fields[name]?.[Kind] === 'Unknown' && !(OptionalKind in fields[name]),
  )
  return (value) => {
    const problem = check(value)
    if (problem) return problem
    const missing = any.find((name) => (value as Record<string, unknown>)[name] === undefined)
    if (missing === undefined) return undefined
    return { field: missing, expected: inWords(fields[missing]), kind: 'missing' }
  }
}

/** Checks an answer; accepts fields that are not in the contract. */
export const resultCheck = ({ result }: Operation): Check => checker(result)

function firstProblem(compiled: TypeCheck<TSchema>, value: unknown): InputProblem {
  const error = compiled.Errors(value).First()
  if (!error) return { field: '', expected: '', kind: 'invalid' }
  const unknown = !error.path.includes('/', 1) && error.message === 'Unexpected property'
  return {
    field: error.path.slice(1).replaceAll('/', '.'),
    expected: inWords(error.schema),
    kind: unknown ? 'unknown' : error.value === undefined ? 'missing' : 'invalid',
  }
}

/** `string matching ^[0-3]$ (number of the pipeline)` */
function inWords({
  type,
  pattern,
  minimum,
  maxItems,
  minLength,
  description,
}: Partial<TSchema> = {}): string {
  const limits = [
    pattern === undefined ? '' : `matching ${String(pattern)}`,
    minimum === undefined ? '' : `of at least ${String(minimum)}`,
    maxItems === undefined ? '' : `of at most ${String(maxItems)} items`,
    minLength === undefined ? '' : 'that is not empty',
  ]
  return [String(type ?? 'value'), ...limits, description && `(${description})`].filter(Boolean).join(' ')
}
