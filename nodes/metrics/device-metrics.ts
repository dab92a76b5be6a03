import { outcomes, type Outcome } from '../../lib/firmware/types'
import type { Counter } from '../../lib/metrics'
import type { SysInfo } from '../../lib/contract'
import type { LinkState } from '../shared/status'
import { CallMetrics } from './call-metrics'
import type { Group } from './registry'
import { StatusValues } from './status-values'
import { StreamMetrics } from './stream-metrics'

/** What is known about the link when it is asked for. */
interface LinkReading {
  /** Undefined while no node uses the device. */
  state: LinkState | undefined
  /** As it may be shown. */
  address: string
}

/** Log levels with a series of their own. */
const levels: ReadonlySet<string> = new Set(['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'])

/** How an update ends; others than an update are seen when they are counted. */
const outcomesOfUpdates: readonly string[] = [...outcomes, 'failed']

/** What is counted and known of a device without asking it. */
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

  /** A health check was answered. */
  answered(system: SysInfo): void {
    this.healthy.value++
    this.answer = { system, at: Date.now() }
  }

  /** The last answer to a health check. */
  get system(): SysInfo | undefined {
    return this.answer?.system
  }

  /** A hand-eye calibration was saved on the device from here. */
  calibrationSaved(): void {
    this.savedAt = Date.now()
  }

  /** When that was, milliseconds since 1970. */
  get calibrationSavedAt(): number | undefined {
    return this.savedAt
  }

  /** A health check has failed. */
  failed(): void {
    this.failing.value++
  }

  /** Somebody follows logs. Prometheus sees the first error only where its level was 0 before. */
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

  /** @param run tells it from others @param phase of the run; undefined: it has ended */
  updating(run: object, phase?: string): void {
    // From 0 before one of them can be counted, where it takes longer than from one scrape to the next.
    if (this.updates.size === 0) for (const outcome of outcomesOfUpdates) this.counterOfUpdates(outcome)
    if (phase === undefined) this.updates.delete(run)
    else this.updates.set(run, phase)
  }

  /** @param outcome of the report; `failed` without one */
  updated(outcome: Outcome | 'failed'): void {
    this.counterOfUpdates(outcome).value++
  }

  private counterOfUpdates(outcome: string): Counter {
    return this.group.counter('vision_firmware_updates_total', { outcome })
  }

  /** Log records go to a collector. */
  sendsLogs(): void {
    for (const reason of ['buffer', 'refused', 'disk'] as const) this.recordsLost(reason, 0)
  }

  /** Log records that a collector does not get. */
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
