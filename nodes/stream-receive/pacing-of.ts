import type { Pacing } from '../../lib/streams/pacing'
import { numberOf } from '../shared/fields/number-of'
import { streamReceiveNode, type StreamReceiveFields } from './fields'
import { invalidInput } from '../shared/sentences'

/**
 * Which messages of the stream the node sends.
 * @throws INVALID_INPUT naming the field
 */
export function pacingOf(fields: StreamReceiveFields): Pacing {
  if (fields.output === 'rate') return { send: 'rate', rate: numberOf(streamReceiveNode, fields, 'rate') }
  if (fields.output !== 'batch') return { send: 'every' }
  const count = numberOf(streamReceiveNode, fields, 'count')
  const seconds = numberOf(streamReceiveNode, fields, 'seconds')
  if (count === undefined && seconds === undefined) throw invalidInput('empty-field', { field: 'count' })
  return { send: 'batch', ...(count !== undefined && { count }), ...(seconds !== undefined && { seconds }) }
}
