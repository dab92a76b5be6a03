import { decodeUbjson } from '../codec/ubjson'
import type { Answer } from './attempt'

const isUbjson = ({ headers }: Answer) => /\bubjson\b/i.test(String(headers['content-type']))

/** The value in an answer, by its content type. Some operations are answered with nothing: undefined. */
export function readBody(answer: Answer): unknown {
  const { body } = answer
  if (!body.length) return undefined
  return isUbjson(answer) ? decodeUbjson(body) : (JSON.parse(body.toString()) as unknown)
}

/** Longest error body that is looked into, in bytes. */
const longest = 64 * 1024

/** What an error answer says, in whatever form it came: a value where it is one, else the beginning of its text. */
export function readErrorBody(answer: Answer): unknown {
  const { body } = answer
  try {
    if (body.length <= longest) return readBody(answer)
  } catch {
    // Many gateways answer errors in a form of their own.
  }
  return isUbjson(answer) ? undefined : body.subarray(0, longest).toString()
}
