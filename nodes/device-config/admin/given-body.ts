import { isObject } from '../../shared/is-object'
import { invalidInput, nodeError } from '../../shared/node-error'
import type { AdminRequest } from './answering'

export interface GivenBody {
  /** The fields of a device's form. */
  device: unknown
  /** Inputs of the operation. */
  input: Record<string, unknown>
  /** Milliseconds that the call may take. */
  deadline: number | undefined
}

/** Longest body in bytes: a backup fits in. */
const mostBytes = 1024 * 1024
/** Milliseconds. */
const longestDeadline = 120_000

/** What came with a request. @throws INVALID_INPUT, TOO_LARGE */
export function bodyOf({ body, headers }: AdminRequest): GivenBody {
  // Only JSON has been parsed to an object: what a page elsewhere may send without being asked has not.
  if (!isObject(body) || !/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw invalidInput('no-form')
  const length = headers['content-length'] ?? JSON.stringify(body).length
  if (Number(length) > mostBytes) throw nodeError('TOO_LARGE', 'too-large-here', { limit: mostBytes })
  const { device, input = {}, deadline } = body
  if (!isObject(input)) throw invalidInput('not-an-object', { field: 'input' })
  if (deadline !== undefined && !(typeof deadline === 'number' && deadline > 0))
    throw invalidInput('not-a-number', { field: 'deadline', value: '' })
  return { device, input, deadline: deadline === undefined ? undefined : Math.min(deadline, longestDeadline) }
}
