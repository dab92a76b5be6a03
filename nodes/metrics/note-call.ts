import type { EndedCall } from '../../lib/client/options'
import type { NodeStatus } from '../../lib/contract'
import type { DeviceMetrics } from './device-metrics'

/** Counts a call, and notes the status values that it has read. */
export function noteCall(
  { calls, values }: DeviceMetrics,
  { operation, input, milliseconds, failure, result }: EndedCall,
): void {
  calls.ended(operation, failure ?? 'ok', milliseconds)
  if (failure !== undefined) return
  if (operation !== 'getNodeStatus' && operation !== 'getGlobalNodeStatus') return
  const { pipeline = '', node = '' } = input as { pipeline?: string | number; node?: string }
  values.seen(String(pipeline), node, (result as NodeStatus).values)
}
