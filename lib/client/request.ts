/**
 * From the input of an operation to a request: checked against the contract, with path, query and body. What does not
 * depend on the input is computed once per operation (`Plan`).
 */
import { operation as operationOf, type Operation, type OperationId, inputFields } from '../contract'
import { Kind, OptionalKind, Type, TypeCompiler, type TSchema, type TypeCheck } from '../typebox'
import { renderJson } from '../codec/json'
import { encodeUbjson } from '../codec/ubjson'
import { placeOf, type ClientSettings } from './options'
import { formsOf } from './secrets'
import { uploadOf, type Upload } from './upload'
import { VisionError, type Failure } from './vision-error'

export interface InputProblem {
  /** `parameters.0.name`, `value`; empty for the whole value. */
  field: string
  /** By the schema, for a sentence. */
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

function inputCheck(operation: Operation): Check {
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

/** Accepts fields that are not in the contract. */
const resultCheck = ({ result }: Operation): Check => checker(result)

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

export class UnusableName extends Error {
  constructor(readonly field: string) {
    super(field)
  }
}

type Values = Record<string, unknown>

/**
 * Compiles `/nodes/{node}/status` into a function from values to the path, in which every value is exactly one segment.
 * The function throws `UnusableName` for a value that no encoding can keep in its segment.
 */
export function pathBuilder(template: string): (values: Values) => string {
  const [start = '', ...rest] = template.split('{')
  if (!rest.length) return () => template
  const parts = rest.map((part) => {
    const [field = '', text = ''] = part.split('}')
    return { field, text }
  })
  return (values) => {
    let path = start
    for (const { field, text } of parts) path += segment(field, values[field]) + text
    return path
  }
}

const needsNoEncoding = /^[\w~-][\w.~-]*$/

function segment(field: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    // URL parsers collapse dot segments, even encoded as %2e, which leads to another resource.
    throw new UnusableName(field)
  }
  return needsNoEncoding.test(value) ? value : encoded(field, value)
}

/** `?name=a&name=b`: a list repeats its name, undefined values are left out. */
export function queryOf(fields: readonly string[], values: Values): string {
  let query = ''
  for (const field of fields) {
    const value = values[field]
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      query += `${query ? '&' : '?'}${field}=${encoded(field, String(one))}`
  }
  return query
}

/** `destination=10.0.0.1%3A30000` */
export const formOf = (fields: readonly string[], values: Values): string => queryOf(fields, values).slice(1)

function encoded(field: string, value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    // A lone surrogate has no UTF-8 form.
    throw new UnusableName(field)
  }
}

/** `read`: always. `settled`: after a read-back. `once`: only if nothing was sent or the device answered 429. */
export type Repeat = 'read' | 'settled' | 'once'

export interface Plan {
  id: OperationId
  operation: Operation
  repeat: Repeat
  takesInput: boolean
  checkInput: ReturnType<typeof inputCheck>
  checkResult: ReturnType<typeof resultCheck>
  pathFrom: (input: Record<string, unknown>) => string
  isText: (input: Record<string, unknown>) => boolean
  isFile: (input: Record<string, unknown>) => boolean
  queryFields: readonly string[]
  bodyFields: readonly string[]
}

const plans = new Map<OperationId, Plan>()

export function planOf(id: OperationId): Plan {
  const known = plans.get(id)
  if (known) return known
  const operation = operationOf(id)
  const { params, query, body, path, method, readBack } = operation
  const plan: Plan = {
    id,
    operation,
    repeat: method === 'GET' ? 'read' : readBack ? 'settled' : 'once',
    takesInput: Boolean(params ?? query ?? body),
    checkInput: inputCheck(operation),
    checkResult: resultCheck(operation),
    pathFrom: pathBuilder(path),
    isText: textTest(operation),
    isFile: ({ format }) => operation.offersFile === true && format === 'file',
    queryFields: Object.keys(query ?? {}),
    bodyFields: Object.keys(body?.fields ?? {}),
  }
  plans.set(id, plan)
  return plan
}

function textTest({ textWhen }: Operation): Plan['isText'] {
  if (!textWhen) return () => false
  const conditions = Object.entries(textWhen)
  return (input) => conditions.every(([field, value]) => input[field] === value)
}

export type CallInput = Record<string, unknown>

export interface PreparedRequest {
  plan: Plan
  path: string
  headers: string[]
  body: string | Buffer | null
  upload?: Upload
  asText: boolean
  asFile: boolean
  secrets: string[]
}

/** Never shown, although the device or a gateway may repeat them: the hash of the UI lock. */
const secretFields = ['hash']

/** Turns input into a request. @throws VisionError `INVALID_INPUT` with the field's name */
export function requestOf(plan: Plan, input: CallInput, settings: ClientSettings): PreparedRequest {
  const problem = plan.checkInput(input)
  if (problem) throw invalid(plan, settings, problemKey[problem.kind], problem)
  try {
    return {
      plan,
      path: settings.address.path + plan.pathFrom(input) + queryOf(plan.queryFields, input),
      asText: plan.isText(input),
      asFile: plan.isFile(input),
      secrets: secretsIn(input),
      ...bodyOf(plan, input, settings),
    }
  } catch (error) {
    if (error instanceof UnusableName) throw invalid(plan, settings, 'unusable-name', error)
    throw error
  }
}

const problemKey = {
  missing: 'missing-input',
  unknown: 'unknown-input',
  invalid: 'invalid-input',
} as const satisfies Record<InputProblem['kind'], Failure['key']>

function invalid(
  { id }: Plan,
  settings: ClientSettings,
  key: Failure['key'],
  { field, expected }: { field: string; expected?: string },
) {
  const failure: Failure = { code: 'INVALID_INPUT', key, values: { field: field || 'input', expected } }
  return new VisionError(failure, { operation: id, ...placeOf(settings) })
}

const secretsIn = (input: CallInput): string[] => formsOf(...secretFields.map((field) => input[field]))

type RequestBody = Pick<PreparedRequest, 'headers' | 'body' | 'upload'>

function bodyOf(plan: Plan, input: CallInput, settings: ClientSettings): RequestBody {
  const { body } = plan.operation
  const [only = '', ...more] = plan.bodyFields
  switch (body?.encoding) {
    case undefined:
      return { headers: headersFor(plan, input, settings), body: null }
    case 'form':
      return {
        headers: [...settings.headers, 'content-type', 'application/x-www-form-urlencoded'],
        body: formOf(plan.bodyFields, input),
      }
    case 'multipart': {
      const upload = uploadOf(only, input[only], textsIn(input, more))
      if (!upload)
        throw invalid(plan, settings, 'invalid-input', {
          field: only,
          expected: 'path of a file, or its bytes',
        })
      return { headers: [...settings.headers, ...upload.headers], body: null, upload }
    }
    case 'json':
      return jsonBody(
        plan,
        body.bare ? input[only] : definedInput(plan.bodyFields, input),
        settings,
        body.bare ? only : '',
      )
  }
}

function headersFor(
  plan: Plan,
  input: CallInput,
  { headers, textHeaders, fileHeaders }: ClientSettings,
): string[] {
  if (plan.isFile(input)) return fileHeaders
  return plan.isText(input) ? textHeaders : headers
}

const textsIn = (input: CallInput, fields: readonly string[]) =>
  Object.entries(definedInput(fields, input)).map(([name, value]) => [name, String(value)] as const)

function definedInput(fields: readonly string[], input: CallInput): CallInput {
  const values: CallInput = {}
  for (const field of fields) if (input[field] !== undefined) values[field] = input[field]
  return values
}

/** A value that contains itself has a path through all its levels. */
const abbreviated = (path: string) => (path.length > 80 ? `${path.slice(0, 80)}…` : path)

function jsonBody(plan: Plan, value: unknown, settings: ClientSettings, field: string): RequestBody {
  const bad = unsendablePart(value, field)
  if (bad !== undefined) throw invalid(plan, settings, 'unsendable-input', { field: abbreviated(bad) })
  const asUbjson = settings.format === 'ubjson' && plan.operation.ubjson
  const contentType = asUbjson ? 'application/ubjson' : 'application/json'
  return {
    headers: [...settings.headers, 'content-type', contentType],
    body: asUbjson ? encodeUbjson(value) : renderJson(value),
  }
}

const deepest = 199 // last level that the codecs accept, from 0

/**
 * Path of the first part that would be sent as something else or not at all: `undefined`, functions, symbols, NaN and
 * infinities, circular references. Undefined if there is none.
 */
function unsendablePart(value: unknown, at: string, depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : at
    case 'object':
      return depth > deepest ? at : inObject(value, at, depth + 1)
    default:
      return at
  }
}

/** Bytes of a typed array: number by number as text, a larger one would block this program for minutes. */
const mostInArray = 4 * 1024 * 1024

function inObject(value: object | null, at: string, depth: number): string | undefined {
  if (ArrayBuffer.isView(value) && value.byteLength > mostInArray) return at
  if (value === null || ('toJSON' in value && typeof value.toJSON === 'function')) return undefined
  for (const [key, part] of Object.entries(value)) {
    // An undefined field is left out, as intended; an undefined item of a list would become null.
    if (part === undefined && !Array.isArray(value)) continue
    const found = unsendablePart(part, at ? `${at}.${key}` : key, depth)
    if (found !== undefined) return found
  }
  return undefined
}
