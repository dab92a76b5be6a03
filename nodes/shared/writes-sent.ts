import type { Client } from '../../lib'
import type { OperationId } from '../../lib/contract'
import type { CallOptions } from '../../lib/client/options'
import type { VisionError } from '../../lib/client/vision-error'
import { loadContract } from './load-later'

const counts = new WeakMap<AbortSignal, number>()

/** How many calls with this signal have or may have changed something on a device. */
export const writesSent = (signal: AbortSignal): number => counts.get(signal) ?? 0

/** Wraps a client so that its writes are counted by the signal of each call. */
export function countingWrites(client: Client): Client {
  const { operation, operationIds } = loadContract()
  const writes: OperationId[] = operationIds.filter((id) => operation(id).method !== 'GET')
  const counting =
    (call: Method): Method =>
    (...given) => {
      const answer = call(...given)
      answer.then(
        () => count(given),
        (error: unknown) => {
          if (mayBeDone(error as VisionError)) count(given)
        },
      )
      return answer
    }
  const request = counting(client.request as Method)
  return {
    ...client,
    ...Object.fromEntries(writes.map((id) => [id, counting(client[id] as Method)])),
    request: (id, ...rest) => (writes.includes(id) ? request : client.request)(id, ...rest),
  }
}

type Method = (...given: unknown[]) => Promise<unknown>

const mayBeDone = ({ code, key }: VisionError) => code === 'OUTCOME_UNKNOWN' || key === 'aborted-sent'

function count(given: readonly unknown[]): void {
  const { signal } = (given.at(-1) ?? {}) as CallOptions
  if (signal) counts.set(signal, writesSent(signal) + 1)
}
