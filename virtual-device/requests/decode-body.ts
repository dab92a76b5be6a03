import type { Readable } from 'node:stream'
import { jsonSteps } from '../../lib/codec/json'
import { decodeUbjson, UbjsonError, ubjsonSteps } from '../../lib/codec/ubjson'
import type { Body } from '../../lib/contract'
import { inSlices } from '../../lib/timers/in-slices'
import { Refusal, cut } from '../values'

/** Deepest nesting of a body; nothing in the API comes close. */
const deepest = 100

/** Longest body that is decoded at once, in bytes: a few milliseconds of work, whatever it holds. */
const longest = 64 * 1024

/**
 * Decodes the body of a request; undefined if there is none. Returns a promise for a long one, which is decoded in
 * slices so that other requests are answered in the meantime.
 * @param encoding of the operation, undefined if it takes no body; a JSON body is then decoded and ignored
 * @throws Refusal 400 for an invalid body, 415 for one of another type
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

/** Nesting depth of containers; ignores brackets in strings. */
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
 * Passes on the chunks of an upload. Always reads it to the end, because many clients read the answer only then.
 * @param take if it returns a promise, the next chunk waits for it; after its first error no more chunks are passed on,
 * and the error is thrown at the end
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
