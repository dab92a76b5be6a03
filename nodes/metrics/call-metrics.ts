import type { EndedCall } from '../../lib/client/options'
import type { NodeStatus } from '../../lib/contract'
import type { Counter, Histogram } from '../../lib/metrics'
import type { Group } from './registry'
import type { StatusValues } from './status-values'

/** Operations with series of their own, and outcomes of each; the rest is counted as `other`. */
const mostOperations = 10
const mostSeries = 16

/** Counts calls: two look-ups and a few additions each. */
export class CallMetrics {
  private readonly byOperation = new Map<string, Map<string, Counter>>()
  private readonly durations: Histogram
  private readonly failures: Counter
  private series = 0

  constructor(private readonly group: Group) {
    this.durations = group.histogram('vision_call_duration_seconds')
    // A code that was never counted has no series yet, and Prometheus would not see its first failure.
    this.failures = group.counter('vision_calls_failed_total')
    // Room for what is counted together.
    this.counterOf('other', 'ok')
    this.counterOf('other', 'failed')
  }

  /** @param outcome `ok`, or an error code */
  ended(operation: string, outcome: string, milliseconds: number): void {
    const counter = this.byOperation.get(operation)?.get(outcome) ?? this.counterOf(operation, outcome)
    counter.value++
    if (outcome !== 'ok') this.failures.value++
    this.durations.observe(milliseconds / 1000)
  }

  private counterOf(operation: string, outcome: string): Counter {
    const known = this.byOperation.get(operation)
    const isFull = this.series >= mostSeries || (!known && this.byOperation.size > mostOperations)
    const counter = isFull ? this.rest(outcome) : this.counter(operation, outcome)
    const outcomes = known ?? new Map<string, Counter>()
    this.byOperation.set(operation, outcomes.set(outcome, counter))
    return counter
  }

  private rest(outcome: string): Counter {
    return this.counter('other', outcome === 'ok' ? 'ok' : 'failed')
  }

  private counter(operation: string, outcome: string): Counter {
    const known = this.byOperation.get(operation)?.get(outcome)
    if (known) return known
    this.series++
    return this.group.counter('vision_calls_total', { operation, outcome })
  }
}

/** Services of the hand-eye calibration that save one. */
const saving: ReadonlySet<string> = new Set(['save_calibration', 'save', 'set_calibration'])

/** What a call changes. */
interface Noted {
  calls: CallMetrics
  values: StatusValues
  calibrationSaved: () => void
}

/** Counts a call, and notes the status values that it has read, and that it has saved a calibration. */
export function noteCall(
  metrics: Noted,
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
