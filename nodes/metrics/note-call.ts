import type { EndedCall } from '../../lib/client/options'
import type { NodeStatus } from '../../lib/contract'
import type { DeviceMetrics } from './device-metrics'

/** Services of the hand-eye calibration that save one. */
const saving: ReadonlySet<string> = new Set(['save_calibration', 'save', 'set_calibration'])

/** Counts a call, and notes the status values that it has read, and that it has saved a calibration. */
export function noteCall(
  metrics: DeviceMetrics,
  { operation, input, milliseconds, failure, result }: EndedCall,
): void {
  const { calls, values } = metrics
  calls.ended(operation, failure ?? 'ok', milliseconds)
  if (failure !== undefined) return
  if (operation === 'callService' || operation === 'callGlobalService') {
    if (hasSaved(input, result)) metrics.calibrationSaved()
    return
  }
  if (operation !== 'getNodeStatus' && operation !== 'getGlobalNodeStatus') return
  const { pipeline = '', node = '' } = input as { pipeline?: string | number; node?: string }
  values.seen(String(pipeline), node, (result as NodeStatus).values)
}

function hasSaved(input: object, result: unknown): boolean {
  const { node = '', service = '' } = input as { node?: string; service?: string }
  const { success } = (result as { response?: { success?: unknown } }).response ?? {}
  return node.endsWith('hand_eye_calibration') && saving.has(service) && success === true
}
