import { checkJson, jsonSteps, deepest } from '../codec/json'
import { decodeUbjson, ubjsonSteps } from '../codec/ubjson'
import type { HttpAnswer } from './attempt'

const isUbjson = ({ headers }: HttpAnswer) => /\bubjson\b/i.test(String(headers['content-type']))

/** Whether an answer is meant for a browser. The content type alone is no proof: some servers call everything HTML. */
export const isPage = ({ headers, body }: HttpAnswer): boolean =>
  /\bhtml\b/i.test(String(headers['content-type'])) && /^\s*</.test(body.subarray(0, 64).toString())

/** Decodes the value in an answer by its content type. Undefined for an empty answer, which some operations have. */
export function readBody(answer: HttpAnswer): unknown {
  const { body } = answer
  if (!body.length) return undefined
  if (isUbjson(answer)) return decodeUbjson(body)
  // Every level takes at least two bytes, so shorter bodies cannot nest too deep or take much memory.
  if (body.length > 2 * deepest) checkJson(body)
  return JSON.parse(body.toString()) as unknown
}

/** Longest body that is decoded at once, in bytes: a few milliseconds of work, whatever it holds. */
const longest = 64 * 1024

/** Whether an answer should be decoded in slices, with `bodySteps`. */
export const isLong = ({ body }: HttpAnswer): boolean => body.length > longest

/** Decodes as `readBody` does, with a yield after each small step. */
export const bodySteps = (answer: HttpAnswer): Generator<undefined, unknown> =>
  isUbjson(answer) ? ubjsonSteps(answer.body) : jsonSteps(answer.body)

/** The content of an error answer in any form: the decoded value, or otherwise the beginning of its text. */
export function readErrorBody(answer: HttpAnswer): unknown {
  const { body } = answer
  try {
    if (!isLong(answer)) return readBody(answer)
  } catch {
    // Many gateways send errors in a format of their own.
  }
  return isUbjson(answer) ? undefined : body.subarray(0, longest).toString()
}
