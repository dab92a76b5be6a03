import type { Pacing } from '../../lib/streams/pacing'
import { invalidInput } from '../shared/node-error'
import { number } from '../shared/number'
import type { StreamReceiveFields } from './fields'

/**
 * What of the stream the node sends.
 * @throws INVALID_INPUT naming the field
 */
export function pacingOf({ output, rate, count, seconds }: StreamReceiveFields): Pacing {
  if (output === 'rate') return { send: 'rate', rate: number('rate', rate, 0.001, 1000) }
  if (output !== 'batch') return { send: 'every' }
  if (count === '' && seconds === '') throw invalidInput('empty-field', { field: 'count' })
  return {
    send: 'batch',
    ...(count !== '' && { count: Math.floor(number('count', count, 1, 100_000)) }),
    ...(seconds !== '' && { seconds: number('seconds', seconds, 0.001, 3600) }),
  }
}
