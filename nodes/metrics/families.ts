/** All series, and what counts them: calls, streams, devices, the fleet, handshakes. */
import type { Families, Counter, Histogram } from '../../lib/metrics'
import type { EndedCall } from '../../lib/client/options'
import type { NodeStatus, SysInfo } from '../../lib/contract'
import type { Group } from './measuring'
import { StatusValues } from './status-values'
import { outcomes, type Outcome } from '../../lib/firmware/types'
import type { LinkState } from '../shared/status'
import type { FleetSummary } from '../../lib/fleet/centre'
import type { CellCounts, EndedCycle } from '../../lib/plc/handshake/cell'
import { defaultCodes } from '../../lib/plc/codes'
import type { ReceiverStatistics } from '../../lib/streams'

/** Seconds: a local read, a slow answer, a detection, a long service. */
const callSeconds = [0.01, 0.05, 0.25, 1, 5]

const reactionSeconds = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1]

const cycleSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** In the order of the output. */
export const families = {
  vision_build_info: {
    type: 'gauge',
    help: 'Versions of this Node-RED.',
    labels: ['version', 'node_red', 'node_js'],
  },
  vision_device_up: {
    type: 'gauge',
    help: 'Whether the device is ready (1) or not (0); missing if no node uses the device.',
  },
  vision_device_state: {
    type: 'gauge',
    help: 'State of the link as a label; the value is always 1.',
    labels: ['state'],
  },
  vision_device_info: {
    type: 'gauge',
    help: 'What the device says about itself; the value is always 1.',
    labels: ['address', 'firmware', 'hostname', 'model', 'serial'],
  },
  vision_device_last_answer_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last answered health check.',
  },
  vision_device_uptime_seconds: {
    type: 'gauge',
    help: 'Uptime of the device at the last answered health check.',
  },
  vision_device_firmware_fallback: {
    type: 'gauge',
    help: 'Whether the device runs its older firmware because the newer one could not start.',
  },
  vision_health_checks_total: {
    type: 'counter',
    help: 'Health checks by outcome: ok or failed.',
    labels: ['outcome'],
  },
  vision_temperature_celsius: {
    type: 'gauge',
    help: 'Status values of the device that are temperatures, as last read.',
    labels: ['pipeline', 'node', 'value'],
  },
  vision_status_value: {
    type: 'gauge',
    help: 'Other numeric status values of the device, in the unit of the device, as last read.',
    labels: ['pipeline', 'node', 'value'],
  },
  vision_calls_total: {
    type: 'counter',
    help: 'Calls by operation and outcome: ok or an error code; the operation other is all beyond the first ten.',
    labels: ['operation', 'outcome'],
  },
  vision_calls_failed_total: {
    type: 'counter',
    help: 'Failed calls of all operations; from 0, so that the first one is seen.',
  },
  vision_call_duration_seconds: {
    type: 'histogram',
    help: 'Duration of calls, including the wait for their turn and repetitions.',
    buckets: callSeconds,
  },
  vision_stream_messages_total: {
    type: 'counter',
    help: 'Received messages of a data stream.',
    labels: ['stream', 'receiver'],
  },
  vision_stream_lost_total: {
    type: 'counter',
    help: 'Lost messages of a data stream.',
    labels: ['stream', 'receiver'],
  },
  vision_stream_rate_hertz: {
    type: 'gauge',
    help: 'Messages per second over the last two seconds.',
    labels: ['stream', 'receiver'],
  },
  vision_stream_jitter_seconds: {
    type: 'gauge',
    help: 'Mean deviation of the arrival times from the timestamps.',
    labels: ['stream', 'receiver'],
  },
  vision_log_entries_total: {
    type: 'counter',
    help: 'Log entries that log-watch nodes have sent, by level.',
    labels: ['level'],
  },
  vision_log_gaps_total: {
    type: 'counter',
    help: 'Times that log entries may be missing.',
  },
  vision_log_records_lost_total: {
    type: 'counter',
    help: 'Log records that a collector does not get: buffer full, refused by it, or not written to disk.',
    labels: ['reason'],
  },
  vision_firmware_update_running: {
    type: 'gauge',
    help: 'Running firmware updates by phase.',
    labels: ['phase'],
  },
  vision_firmware_updates_total: {
    type: 'counter',
    help: 'Ended firmware updates by outcome; failed if there is no report.',
    labels: ['outcome'],
  },
  vision_handshake_up: {
    type: 'gauge',
    help: 'Whether the PLC is connected and has taken part lately (1) or not (0); missing if no trigger node uses the handshake.',
  },
  vision_handshake_triggers_total: {
    type: 'counter',
    help: 'Triggers that were passed to the flow.',
  },
  vision_handshake_missed_total: {
    type: 'counter',
    help: 'Triggers that came while the cell was busy or not ready.',
  },
  vision_handshake_dropped_total: {
    type: 'counter',
    help: 'Answers of the flow that the PLC did not get: late, second or foreign ones.',
  },
  vision_handshake_cycles_total: {
    type: 'counter',
    help: 'Ended cycles by the code that the PLC got.',
    labels: ['code'],
  },
  vision_handshake_reaction_seconds: {
    type: 'histogram',
    help: 'Time from the trigger to the message to the flow.',
    buckets: reactionSeconds,
  },
  vision_handshake_cycle_seconds: {
    type: 'histogram',
    help: 'Time from the message to the flow to the answer.',
    buckets: cycleSeconds,
  },
  vision_fleet_cells: {
    type: 'gauge',
    help: 'Cells that a centre knows, by whether they are seen: yes or no.',
    labels: ['seen'],
  },
  vision_fleet_devices_with_problem: {
    type: 'gauge',
    help: 'Devices of a fleet with a problem.',
  },
  vision_fleet_rollouts: {
    type: 'gauge',
    help: 'Open rollouts by state: running, paused, waits-for-approval or stopping.',
    labels: ['state'],
  },
  vision_series_limit_reached: {
    type: 'gauge',
    help: 'Whether series were left out because there were 50 already.',
  },
} as const satisfies Families

export type MetricName = keyof typeof families

/** Per operation and outcome; the rest is `other`. */
const mostOperations = 10

const mostSeries = 16

/** Two look-ups and a few additions per call. */
class CallMetrics {
  private readonly byOperation = new Map<string, Map<string, Counter>>()
  private readonly durations: Histogram
  private readonly failures: Counter
  private series = 0

  constructor(private readonly group: Group) {
    this.durations = group.histogram('vision_call_duration_seconds')
    // Prometheus would not see the first failure in a new series.
    this.failures = group.counter('vision_calls_failed_total')
    // For what is counted together.
    this.counterOf('other', 'ok')
    this.counterOf('other', 'failed')
  }

  /** @param outcome `ok` or an error code */
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

const saving: ReadonlySet<string> = new Set(['save_calibration', 'save', 'set_calibration'])

interface Noted {
  calls: CallMetrics
  values: StatusValues
  calibrationSaved: () => void
}

/** Also keeps status values that were read, and saved calibrations. */
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

/** In seconds instead of milliseconds. */
const readings = {
  vision_stream_messages_total: ({ messages }: ReceiverStatistics) => messages,
  vision_stream_lost_total: ({ lost }: ReceiverStatistics) => lost,
  vision_stream_rate_hertz: ({ rate }: ReceiverStatistics) => rate,
  vision_stream_jitter_seconds: ({ jitter }: ReceiverStatistics) => jitter / 1000,
} as const satisfies Partial<Record<MetricName, (statistics: ReceiverStatistics) => number>>

class StreamMetrics {
  constructor(private readonly group: Group) {}

  /**
   * @param receiver the node; with its id if another node of that name receives the stream
   * @returns ends it
   */
  received(
    stream: string,
    receiver: { id: string; name?: string },
    statistics: () => ReceiverStatistics,
  ): () => void {
    const name = receiver.name?.trim() || receiver.id
    const keyOf = (label: string) => `${stream} ${label}`
    const isTaken = this.group.has('vision_stream_messages_total', keyOf(name))
    const label = isTaken ? `${name} (${receiver.id})` : name
    const ends = Object.entries(readings).map(([metric, read]) =>
      this.group.gauge(metric as MetricName, keyOf(label), 1, () => [
        { labels: { stream, receiver: label }, value: read(statistics()) },
      ]),
    )
    return () => {
      for (const end of ends) end()
    }
  }
}

interface LinkReading {
  state: LinkState | undefined
  address: string
}

const levels: ReadonlySet<string> = new Set(['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'])

/** Other outcomes appear when they are counted. */
const outcomesOfUpdates: readonly string[] = [...outcomes, 'failed']

export class DeviceMetrics {
  readonly calls: CallMetrics
  readonly streams: StreamMetrics
  readonly values: StatusValues
  private readonly healthy: Counter
  private readonly failing: Counter
  private readonly updates = new Map<object, string>()
  private savedAt: number | undefined
  private answer: { system: SysInfo; at: number } | undefined

  constructor(
    private readonly group: Group,
    private readonly link: () => LinkReading,
  ) {
    group.gauge('vision_series_limit_reached', '', 1, () => [{ value: Number(group.isFull) }])
    this.healthy = group.counter('vision_health_checks_total', { outcome: 'ok' })
    this.failing = group.counter('vision_health_checks_total', { outcome: 'failed' })
    this.addLink()
    this.addSystem()
    this.calls = new CallMetrics(group)
    this.values = new StatusValues(group)
    this.streams = new StreamMetrics(group)
    for (const outcome of ['updated', 'failed']) this.counterOfUpdates(outcome)
    group.gauge('vision_firmware_update_running', '', 1, () =>
      [...new Set(this.updates.values())].map((phase) => ({
        labels: { phase },
        value: [...this.updates.values()].filter((each) => each === phase).length,
      })),
    )
  }

  answered(system: SysInfo): void {
    this.healthy.value++
    this.answer = { system, at: Date.now() }
  }

  get system(): SysInfo | undefined {
    return this.answer?.system
  }

  calibrationSaved(): void {
    this.savedAt = Date.now()
  }

  /** Milliseconds since 1970. */
  get calibrationSavedAt(): number | undefined {
    return this.savedAt
  }

  failed(): void {
    this.failing.value++
  }

  /** From 0: Prometheus ignores the first error of a new level. */
  followsLogs(): void {
    for (const level of levels) this.group.counter('vision_log_entries_total', { level })
    this.group.counter('vision_log_gaps_total')
  }

  logEntry(level: string): void {
    const named = level === 'WARNING' ? 'WARN' : level
    this.group.counter('vision_log_entries_total', { level: levels.has(named) ? named : 'other' }).value++
  }

  logGap(): void {
    this.group.counter('vision_log_gaps_total').value++
  }

  /** @param phase undefined: it has ended */
  updating(run: object, phase?: string): void {
    // From 0: an update takes longer than a scrape interval.
    if (this.updates.size === 0) for (const outcome of outcomesOfUpdates) this.counterOfUpdates(outcome)
    if (phase === undefined) this.updates.delete(run)
    else this.updates.set(run, phase)
  }

  /** @param outcome `failed` without a report */
  updated(outcome: Outcome | 'failed'): void {
    this.counterOfUpdates(outcome).value++
  }

  private counterOfUpdates(outcome: string): Counter {
    return this.group.counter('vision_firmware_updates_total', { outcome })
  }

  sendsLogs(): void {
    for (const reason of ['buffer', 'refused', 'disk'] as const) this.recordsLost(reason, 0)
  }

  recordsLost(reason: 'buffer' | 'refused' | 'disk', count: number): void {
    this.group.counter('vision_log_records_lost_total', { reason }).value += count
  }

  private addLink(): void {
    this.group.gauge('vision_device_up', '', 1, () => {
      const { state } = this.link()
      return state === undefined ? [] : [{ value: Number(state === 'ready') }]
    })
    this.group.gauge('vision_device_state', '', 1, () => [
      { labels: { state: this.link().state ?? 'unwatched' }, value: 1 },
    ])
  }

  private addSystem(): void {
    const known = (read: (answer: { system: SysInfo; at: number }) => number) => () =>
      this.answer ? [{ value: read(this.answer) }] : []
    this.group.gauge('vision_device_info', '', 1, () => {
      const { firmware, hostname, model_name: model = '', serial } = this.answer?.system ?? {}
      const { image_version: version = '' } = firmware?.active_image ?? {}
      const { address } = this.link()
      return [
        {
          labels: { address, firmware: version, hostname: hostname ?? '', model, serial: serial ?? '' },
          value: 1,
        },
      ]
    })
    this.group.gauge(
      'vision_device_last_answer_timestamp_seconds',
      '',
      1,
      known(({ at }) => at / 1000),
    )
    this.group.gauge(
      'vision_device_uptime_seconds',
      '',
      1,
      known(({ system }) => system.uptime),
    )
    this.group.gauge(
      'vision_device_firmware_fallback',
      '',
      1,
      known(({ system }) => Number(system.firmware.fallback_booted)),
    )
  }
}

const rolloutStates = ['running', 'paused', 'waits-for-approval', 'stopping'] as const

/** @param reading the last known state of the fleet */
export function measureFleet(group: Group, reading: () => FleetSummary | undefined): void {
  group.gauge('vision_fleet_cells', '', 2, () => {
    const { cells } = reading() ?? {}
    if (!cells) return []
    return [
      { labels: { seen: 'yes' }, value: cells.seen },
      { labels: { seen: 'no' }, value: cells.notSeen },
    ]
  })
  group.gauge('vision_fleet_devices_with_problem', '', 1, () => {
    const { devices } = reading() ?? {}
    return devices ? [{ value: devices.problems }] : []
  })
  group.gauge('vision_fleet_rollouts', '', rolloutStates.length, () => {
    const { rollouts } = reading() ?? {}
    if (!rollouts) return []
    return rolloutStates.map((state) => ({
      labels: { state },
      value: rollouts.filter((rollout) => rollout.state === state).length,
    }))
  })
}

/** The other codes are `other`. */
const mostCodes = 24

interface HandshakeReading {
  link: 'up' | 'down' | 'unused'
  counts: Readonly<CellCounts>
}

export class HandshakeMetrics {
  private readonly reactions: Histogram
  private readonly cycles: Histogram
  private readonly codes = new Set<number>()

  constructor(
    private readonly group: Group,
    reading: () => HandshakeReading,
  ) {
    group.gauge('vision_series_limit_reached', '', 1, () => [{ value: Number(group.isFull) }])
    group.gauge('vision_handshake_up', '', 1, () => {
      const { link } = reading()
      return link === 'unused' ? [] : [{ value: Number(link === 'up') }]
    })
    const count = (name: 'triggers' | 'missed' | 'dropped', read: keyof CellCounts) =>
      group.gauge(`vision_handshake_${name}_total`, '', 1, () => [{ value: reading().counts[read] }])
    count('triggers', 'accepted')
    count('missed', 'missed')
    count('dropped', 'dropped')
    // From 0, so that the first cycle of each code is seen.
    for (const code of Object.values(defaultCodes)) this.counterOf(code)
    this.counterOf(undefined)
    this.reactions = group.histogram('vision_handshake_reaction_seconds')
    this.cycles = group.histogram('vision_handshake_cycle_seconds')
  }

  /** @param milliseconds from trigger to message */
  reacted(milliseconds: number): void {
    this.reactions.observe(milliseconds / 1000)
  }

  /** The PLC has read the answer. */
  ended({ code, milliseconds, hasBegun }: EndedCycle): void {
    this.counterOf(code).value++
    if (hasBegun) this.cycles.observe(milliseconds / 1000)
  }

  private counterOf(code: number | undefined): Counter {
    const isKnown = code !== undefined && (this.codes.has(code) || this.codes.size < mostCodes)
    if (isKnown) this.codes.add(code)
    return this.group.counter('vision_handshake_cycles_total', { code: isKnown ? String(code) : 'other' })
  }
}
