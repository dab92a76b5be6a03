import { renderJson } from '../codec/json'
import { encodeUbjson } from '../codec/ubjson'
import type { InputProblem } from './check'
import { placeOf, type ClientSettings } from './options'
import type { Plan } from './plan'
import { formOf, queryOf, UnusableName } from './request-path'
import { formsOf } from './secrets'
import { uploadOf, type Upload } from './upload'
import { VisionError, type Failure } from './vision-error'

export type CallInput = Record<string, unknown>

/** One request, ready to be sent any number of times. */
export interface PreparedRequest {
  plan: Plan
  path: string
  headers: string[]
  body: string | Buffer | null
  /** The body, if it is a file. */
  upload?: Upload
  /** Whether the answer is plain text. */
  asText: boolean
  /** Whether the answer is a file. */
  asFile: boolean
  /** The parts of the input that must not be shown. */
  secrets: string[]
}

/** Inputs that are never shown, although the device or a gateway may repeat them: the hash of the UI lock. */
const secretFields = ['hash']

/** Turns input into a request, or names the invalid field. @throws VisionError `INVALID_INPUT` */
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
        body.bare ? input[only] : given(plan.bodyFields, input),
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

/** The text fields sent along with a file. */
const textsIn = (input: CallInput, fields: readonly string[]) =>
  Object.entries(given(fields, input)).map(([name, value]) => [name, String(value)] as const)

function given(fields: readonly string[], input: CallInput): CallInput {
  const values: CallInput = {}
  for (const field of fields) if (input[field] !== undefined) values[field] = input[field]
  return values
}

/** A value that contains itself has a path through all its levels. */
const inShort = (path: string) => (path.length > 80 ? `${path.slice(0, 80)}…` : path)

function jsonBody(plan: Plan, value: unknown, settings: ClientSettings, field: string): RequestBody {
  const bad = unsendablePart(value, field)
  if (bad !== undefined) throw invalid(plan, settings, 'unsendable-input', { field: inShort(bad) })
  const asUbjson = settings.format === 'ubjson' && plan.operation.ubjson
  const contentType = asUbjson ? 'application/ubjson' : 'application/json'
  return {
    headers: [...settings.headers, 'content-type', contentType],
    body: asUbjson ? encodeUbjson(value) : renderJson(value),
  }
}

/** The last level that the codecs take, counted from 0. */
const deepest = 199

/**
 * Path of the first part of a value that would be sent as something else or not at all: `undefined`, functions,
 * symbols, NaN and infinities, circular references. `undefined` if there is none.
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

/** Bytes of a typed array in a body: number by number as text, a larger one would block this program for minutes. */
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
