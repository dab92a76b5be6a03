import type { OperationId } from '../../lib/contract'
import { loadContract } from '../shared/load-later'
import { nearNames } from '../shared/near-names'
import { sentencesOf } from '../sentences'

const { invalidInput, say } = sentencesOf('device-request')

/** The operation with this name. @throws INVALID_INPUT with similar names if there is none */
export function operationNamed(given: unknown): OperationId {
  if (given === undefined || given === '') throw invalidInput('empty-field', { field: 'operation' })
  if (typeof given !== 'string') throw invalidInput('not-text', { field: 'operation' })
  const id = given.trim()
  const { operations } = loadContract()
  if (Object.hasOwn(operations, id)) return id as OperationId
  const names = nearNames(id, Object.keys(operations))
  const near = names.length > 0 ? say('near-names', { names: names.join(', ') }) : ''
  throw invalidInput('no-operation', { operation: id.slice(0, 60), near })
}
