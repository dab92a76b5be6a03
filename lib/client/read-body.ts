import { checkJson } from '../codec/check-json'
import { deepest } from '../codec/nesting'
import { decodeUbjson } from '../codec/ubjson'
import type { Answer } from './attempt'

const isUbjson = ({ headers }: Answer) => /\bubjson\b/i.test(String(headers['content-type']))

/** Whether an answer is meant for a browser. The type alone is no proof: some servers call everything HTML. */
export const isPage = ({ headers, body }: Answer): boolean =>
  /\bhtml\b/i.test(String(headers['content-type'])) && /^\s*</.test(body.subarray(0, 64).toString())

/** The value in an answer, by its content type. Some operations are answered with nothing: undefined. */
export function readBody(answer: Answer): unknown {
  const { body } = answer
  if (!body.length) return undefined
  if (isUbjson(answer)) return decodeUbjson(body)
  // Every level takes two bytes at least, and what is so short takes little memory.
  if (body.length > 2 * deepest) checkJson(body)
  return JSON.parse(body.toString()) as unknown
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
