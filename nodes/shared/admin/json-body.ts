import { isObject } from '../is-object'
import type { AdminRequest } from './answering'
import { invalidInput, nodeError } from '../sentences'

/** Longest body in bytes: enough for a backup. */
const mostBytes = 1024 * 1024

/** The JSON object in a request. @throws INVALID_INPUT, TOO_LARGE */
export function jsonBody({ body, headers }: AdminRequest): Record<string, unknown> {
  // Requires the JSON content type: a page of another site cannot send it without a preflight request.
  if (!isObject(body) || !/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw invalidInput('no-form')
  const length = headers['content-length'] ?? JSON.stringify(body).length
  if (Number(length) > mostBytes) throw nodeError('TOO_LARGE', 'too-large-here', { limit: mostBytes })
  return body
}
