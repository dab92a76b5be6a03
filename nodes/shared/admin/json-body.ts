import { isObject } from '../is-object'
import type { AdminRequest } from './answering'
import { invalidInput, nodeError } from '../sentences'

/** Longest body in bytes: a backup fits in. */
const mostBytes = 1024 * 1024

/** The JSON object that came with a request. @throws INVALID_INPUT, TOO_LARGE */
export function jsonBody({ body, headers }: AdminRequest): Record<string, unknown> {
  // Only JSON has been parsed to an object: what a page elsewhere may send without being asked has not.
  if (!isObject(body) || !/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw invalidInput('no-form')
  const length = headers['content-length'] ?? JSON.stringify(body).length
  if (Number(length) > mostBytes) throw nodeError('TOO_LARGE', 'too-large-here', { limit: mostBytes })
  return body
}
