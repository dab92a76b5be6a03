import { type AdminRequest, jsonBody } from '../../shared/admin'
import { isObject } from '../../shared/is-object'
import { invalidInput } from '../../shared/sentences'

export interface GivenBody {
  /** The fields of a device's form. */
  device: unknown
  /** Inputs of the operation. */
  input: Record<string, unknown>
  /** Milliseconds for the call. */
  deadline: number | undefined
}

/** Milliseconds. */
const longestDeadline = 120_000

/** Reads the body of a request. @throws INVALID_INPUT, TOO_LARGE */
export function bodyOf(request: AdminRequest): GivenBody {
  const { device, input = {}, deadline } = jsonBody(request)
  if (!isObject(input)) throw invalidInput('not-an-object', { field: 'input' })
  if (deadline !== undefined && !(typeof deadline === 'number' && deadline > 0))
    throw invalidInput('not-a-number', { field: 'deadline', value: '' })
  return { device, input, deadline: deadline === undefined ? undefined : Math.min(deadline, longestDeadline) }
}
