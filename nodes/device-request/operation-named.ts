import type { OperationId } from '../../lib/contract'
import { loadContract } from '../device-config/admin/load-later'
import { invalidInput } from '../shared/node-error'

/** The operation of that name. @throws INVALID_INPUT where there is none */
export function operationNamed(given: unknown): OperationId {
  if (given === undefined || given === '') throw invalidInput('empty-field', { field: 'operation' })
  if (typeof given !== 'string') throw invalidInput('not-text', { field: 'operation' })
  const id = given.trim()
  if (Object.hasOwn(loadContract().operations, id)) return id as OperationId
  throw invalidInput('no-operation', { operation: id })
}
