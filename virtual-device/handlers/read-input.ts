import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { jsonSteps } from '../../lib/codec/json'
import { decodeUbjson, UbjsonError, ubjsonSteps } from '../../lib/codec/ubjson'
import type { Body, Operation } from '../../lib/contract'
import { inSlices } from '../../lib/kernel/timers'
import { Kind, type TSchema } from '../../lib/typebox'
import { QueryText, checkedField } from '../device/running-module'
import { cut, Refusal, shown } from '../values'

export interface RawInput {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, QueryValue>>
  /** Decoded; undefined without a body. */
  body: unknown
}

type Reader = (raw: RawInput, into: Record<string, unknown>) => void

/** Collects the inputs of an operation from path, query and body, each checked against its schema. */
export function inputReader(operation: Operation): (raw: RawInput) => Record<string, unknown> {
  const readers = [paramsReader(operation), queryReader(operation), bodyReader(operation)].filter(
    (reader) => reader !== undefined,
  )
  return (raw) => {
    const input = {}
    for (const read of readers) read(raw, input)
    return input
  }
}

function paramsReader({ params }: Operation): Reader | undefined {
  const fields = Object.entries(params ?? {})
  if (!fields.length) return undefined
  return (raw, into) => {
    for (const [name, schema] of fields) into[name] = checkedField(name, schema, raw.params[name])
  }
}

function queryReader({ method, query }: Operation): Reader | undefined {
  const fields = Object.entries(query ?? {})
  if (!fields.length) return undefined
  return (raw, into) => {
    for (const [name, schema] of fields) {
      // Some stream receivers send the query of a DELETE in its body.
      const given = raw.query[name] ?? (method === 'DELETE' ? fieldOf(raw.body, name) : undefined)
      if (Array.isArray(given) && lists.has(name)) into[name] = checkedList(name, schema, given)
      else {
        const value = checkedField(name, schema, convertedQuery(name, schema, given as QueryValue))
        if (value !== undefined) into[name] = value
      }
    }
  }
}

function bodyReader({ body, queryIsOpen }: Operation): Reader | undefined {
  if (!body || body.encoding === 'multipart') return undefined
  const fields = Object.entries(body.fields)
  return (raw, into) => {
    const pairs = queryIsOpen ? parametersIn(raw.query) : []
    const content = pairs.length ? withPairs(raw.body, pairs) : raw.body
    if (!body.bare && content !== undefined && !isObject(content))
      throw new Refusal(400, `the body: expected an object, got ${shown(content)}`)
    for (const [name, schema] of fields) {
      const given = body.bare ? content : fieldOf(content, name)
      const value =
        Array.isArray(given) && lists.has(name)
          ? checkedList(name, schema, given)
          : checkedField(name, schema, given)
      if (value !== undefined) into[name] = value
    }
  }
}

/** A single text in the contract, but some programs send a list. */
const lists: ReadonlySet<string> = new Set(['destination'])

const checkedList = (name: string, schema: TSchema, given: readonly unknown[]) =>
  given.map((each) => checkedField(name, schema, each))

const fieldOf = (value: unknown, name: string) =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** Parameters of a node as query pairs, `?fps=10&exp_auto=false`. */
const parametersIn = (query: RawInput['query']) =>
  Object.entries(query).flatMap(([name, values]) =>
    [values ?? []].flat().map((text) => ({ name, value: new QueryText(text) })),
  )

const withPairs = (body: unknown, pairs: readonly object[]) =>
  body === undefined ? pairs : Array.isArray(body) ? [...(body as unknown[]), ...pairs] : body

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A repeated key has a list of texts. */
type QueryValue = string | string[] | undefined

/**
 * Converts query text to the type of its schema. Text that cannot be converted stays text and fails the following
 * check. @throws Refusal 400 for a repeated key with only one value allowed
 */
function convertedQuery(name: string, schema: TSchema, given: QueryValue): unknown {
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

export interface UploadedBytes {
  name: string
  bytes: Buffer
}

/**
 * The file and the other fields of a multipart form, in any order, in memory. @throws Refusal 400 for a missing or
 * invalid field, 413 for a file that is too large, 415 for a body that is not a form
 */
export async function uploadedForm(
  request: FastifyRequest,
  { fields, maxBytes = Infinity }: Body,
): Promise<Record<string, unknown>> {
  assertForm(request)
  const texts = new Map<string, string>()
  let file: UploadedBytes | undefined
  let length = 0
  try {
    const limits = { fileSize: Infinity, fieldSize: 1000, fields: 100, files: 10 }
    for await (const part of request.parts({ limits }))
      if (part.type === 'field') texts.set(part.fieldname, String(part.value))
      else {
        const chunks: Buffer[] = []
        // Read to the end even if it is too large, because many clients read the answer only then.
        for await (const chunk of part.file as AsyncIterable<Buffer>) {
          length += chunk.length
          if (length <= maxBytes) chunks.push(chunk)
          else chunks.length = 0
        }
        if (part.fieldname === 'file') file ??= { name: part.filename, bytes: Buffer.concat(chunks) }
      }
  } catch (error) {
    throw unreadableForm(error)
  }
  if (length > maxBytes) throw new Refusal(413, `the file is longer than ${maxBytes} bytes`)
  if (!file) throw new Refusal(400, 'file: missing')
  const others = Object.entries(fields).filter(([name]) => name !== 'file')
  const values = others.map(([name, schema]): [string, unknown] => [
    name,
    checkedField(name, schema, convertedQuery(name, schema, texts.get(name))),
  ])
  return { ...Object.fromEntries(values.filter(([, value]) => value !== undefined)), file }
}

/** Streams the file of a form. @throws Refusal 400 without the field `file`, 415 for a body that is not a form */
export async function uploadedFile(request: FastifyRequest): Promise<Readable> {
  assertForm(request)
  const part = await request.file({ limits: { fileSize: Infinity } }).catch((error: unknown) => {
    throw unreadableForm(error)
  })
  if (part?.fieldname === 'file') return part.file
  part?.file.resume()
  throw new Refusal(400, 'file: missing')
}

/** @throws Refusal 400 without a body, 415 for a body that is not a form with files */
function assertForm(request: FastifyRequest): void {
  if (request.isMultipart()) return
  if ((request.body as Buffer | undefined)?.length)
    throw wrongType(request.headers['content-type'] ?? '', 'multipart')
  throw new Refusal(400, 'file: missing')
}

const unreadableForm = (error: unknown): Refusal =>
  new Refusal(400, `the form cannot be read: ${cut((error as Error).message, 100)}`)

const deepest = 100 // deepest nesting of a body; nothing in the API comes close

/** Bytes that are decoded at once: a few milliseconds of work, whatever they contain. */
const longest = 64 * 1024

/**
 * Decodes the body of a request; undefined if there is none. Returns a promise for a long one, which is decoded in
 * slices so that other requests are answered meanwhile. @param encoding of the operation, undefined if it takes no
 * body; a JSON body is then decoded and ignored @throws Refusal 400 for an invalid body, 415 for one of another type
 */
export function decodedBody(
  bytes: Buffer,
  headers: Readonly<Record<string, unknown>>,
  encoding: Body['encoding'] | undefined,
): unknown {
  const { 'content-type': contentType = '', 'content-encoding': packed = 'identity' } = headers
  const type = String(contentType).split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (packed !== 'identity') throw new Refusal(415, 'compressed bodies are not accepted')
  if (encoding !== 'multipart' && (type === '' || type === 'application/json'))
    return bytes.length > longest ? inTime(jsonSteps(bytes, { levels: deepest })) : json(bytes.toString())
  if (encoding !== 'multipart' && type === 'application/ubjson')
    return bytes.length > longest ? inTime(ubjsonSteps(bytes)) : ubjson(bytes)
  if (encoding === 'form' && type === 'application/x-www-form-urlencoded')
    return Object.fromEntries(new URLSearchParams(bytes.toString()))
  throw wrongType(type, encoding)
}

export const wrongType = (type: string, encoding: Body['encoding'] = 'json'): Refusal =>
  new Refusal(415, `the content type ${cut(type, 60)} is not accepted here: ${expected[encoding]}`)

const expected: Readonly<Record<Body['encoding'], string>> = {
  json: 'send application/json',
  form: 'send application/x-www-form-urlencoded',
  multipart: 'send multipart/form-data',
}

function json(text: string): unknown {
  if (text.trim() === '') return undefined
  if (text.length > deepest && depth(text) > deepest)
    throw new Refusal(400, `the body is nested more than ${deepest} levels deep`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable(error)
  }
}

function ubjson(bytes: Buffer): unknown {
  try {
    return decodeUbjson(bytes)
  } catch (error) {
    throw unreadable(error)
  }
}

async function inTime(steps: Generator<undefined, unknown>): Promise<unknown> {
  try {
    return await inSlices(steps)
  } catch (error) {
    throw unreadable(error)
  }
}

function unreadable(error: unknown): unknown {
  const reason = error instanceof Error ? cut(error.message, 120) : ''
  if (error instanceof UbjsonError) return new Refusal(400, `the body is not UBJSON: ${reason}`)
  if (error instanceof SyntaxError) return new Refusal(400, `the body is not JSON: ${reason}`)
  if (error instanceof RangeError) return new Refusal(400, `the body is not accepted: ${reason}`)
  return error
}

function depth(text: string): number {
  let open = 0
  let most = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) inString = !inString
    else if (code === 0x5c) index++
    else if (inString) continue
    else if (code === 0x5b || code === 0x7b) most = Math.max(most, ++open)
    else if (code === 0x5d || code === 0x7d) open--
  }
  return most
}

/**
 * Passes on the chunks of an upload. Always reads it to the end, because many clients read the answer only then. @param
 * take if it returns a promise, the next chunk waits for it; after its first error no more chunks are passed on, and
 * the error is thrown at the end
 */
export async function receive(file: Readable, take: (chunk: Buffer) => unknown): Promise<void> {
  let failure: unknown
  try {
    for await (const chunk of file)
      try {
        if (failure === undefined) await take(chunk as Buffer)
      } catch (error) {
        failure = error
      }
  } catch {
    throw new Refusal(400, 'the upload ended early')
  }
  if (failure !== undefined) throw failure as Error
}
