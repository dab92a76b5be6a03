import { decodeUbjson } from '../codec/ubjson'
import type { Answer } from './attempt'

/** Longest part of an error body that is kept, in characters. */
const keptCharacters = 4096

const isUbjson = ({ headers }: Answer) => /\bubjson\b/i.test(String(headers['content-type']))

/** The value in an answer, by its content type. Some operations are answered with nothing: undefined. */
export function readBody(answer: Answer): unknown {
  const { body } = answer
  if (!body.length) return undefined
  return isUbjson(answer) ? decodeUbjson(body) : (JSON.parse(body.toString()) as unknown)
}

/** What an error answer says, in whatever form it came: a value where it is one, else the beginning of its text. */
export function readErrorBody(answer: Answer): unknown {
  const text = answer.body.subarray(0, keptCharacters).toString()
  try {
    return answer.body.length > keptCharacters ? text : readBody(answer)
  } catch {
    return isUbjson(answer) ? undefined : text
  }
}
