/** An open connection to a device: the client of the flow, the health check, and reading for the metrics. */
import type { Client, ClientOptions, createClient, CallOptions } from '../../lib'
import type { Tls } from '../../lib/client/options'
import type { SysInfo, Variant } from '../../lib/contract'
import { KnownNodes, type NodeQuery, type Target, DeviceLists, ParameterRecords } from './known-nodes'
import { codeOf, causeOf } from '../shared/node-error'
import type { LinkState } from '../shared/status'
import { countingWrites } from '../shared/handle-input'
import type { DeviceMetrics } from '../metrics/families'
import type { ChosenValue, StatusValues } from '../metrics/status-values'
import { Scope, settled } from '../../lib/kernel/scope'
import { abortedAfter, startInterval, startTimeout } from '../../lib/kernel/timers'
import { loadMetrics } from '../metrics/load-metrics'
import { longestRest, restAfter } from '../../lib/client/error-answer'
import { hasRestarted, markedState, type MarkedState, type UptimeMark } from '../../lib/system/reboot'
import { RetrySchedule } from '../../lib/kernel/connection'

interface LinkOptions {
  /** Rejects if the device does not answer. */
  ask: (signal: AbortSignal) => Promise<SysInfo>
  /** Seconds between checks while ready. */
  interval: number
  /** @default Math.random */
  random?: () => number
  /** `error` is the reason why it is not ready. */
  changed: (state: LinkState, error?: Error) => void
  /** The device is back or has restarted; caches may be out of date. */
  connected: () => void
}

/** Failures and ms that still count as connecting: devices often start at the same time. */
const checkDeadline = { failures: 5, milliseconds: 5000 }

/** Shortest time between two checks, ms. */
const gap = 100

/** Milliseconds; shows the start progress every half second. */
const whileStarting = 500

/** Longest pause while a device does not answer, ms. */
const longestPause = 10_000

/** Monitors a device with one request at a time, until it is closed. */
export class Link {
  state: LinkState = 'connecting'
  readonly #options: LinkOptions
  readonly #scope: Scope
  #timer: NodeJS.Timeout | undefined
  readonly #started = performance.now()
  #asked = 0
  #failures = 0
  readonly #schedule: RetrySchedule
  #mark: UptimeMark | undefined
  /** End of the pause requested by the device, ms. */
  #restsUntil = 0

  constructor(options: LinkOptions) {
    this.#options = options
    this.#scope = new Scope({ failed: (error) => options.changed(this.state, error as Error) })
    const { interval, random = Math.random } = options
    const longest = Math.max(longestPause, 1000 * interval)
    this.#schedule = new RetrySchedule({ shortest: gap, longest, random })
  }

  start(): void {
    this.#scope.begin(({ signal }) => this.#check(signal))
  }

  /** Outcome of a call; checks at once if the state may have changed. */
  hint(error?: unknown): void {
    if (error !== undefined) {
      if (silent.has(codeOf(error) ?? '')) this.suspect()
    } else if (this.state !== 'ready') this.#checkSoon()
  }

  /** The device takes no requests; checks at once if that is new. */
  suspect(): void {
    if (this.state === 'ready' && performance.now() >= this.#restsUntil) this.#checkSoon()
  }

  close(): void {
    this.#scope.abort()
    clearTimeout(this.#timer)
  }

  #checkSoon(): void {
    if (this.#timer && performance.now() - this.#asked > gap) this.start()
  }

  async #check(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#asked = performance.now()
    const [state, error] = await markedState(() => this.#options.ask(signal)).then(
      (answer) => this.#answered(answer),
      (problem: unknown) => this.#failed(problem),
    )
    if (signal.aborted) return
    if (state !== this.state) {
      this.state = state
      this.#options.changed(state, error)
    }
    const rest = restAfter(error)
    this.#restsUntil = performance.now() + rest
    this.#timer = startTimeout(() => this.start(), Math.max(this.#pauseAfter(state), rest))
  }

  #pauseAfter(state: LinkState): number {
    const interval = 1000 * this.#options.interval
    if (state === 'ready') return interval
    return state === 'starting' ? Math.min(whileStarting, interval) : this.#schedule.next()
  }

  #answered({ system, mark }: MarkedState): [LinkState] {
    const isNew = this.#failures > 0 || !this.#mark || hasRestarted(this.#mark, mark)
    this.#failures = 0
    this.#schedule.reset()
    this.#mark = mark
    if (isNew) this.#options.connected()
    return [system.ready ? 'ready' : 'starting']
  }

  #failed(problem: unknown): [LinkState, Error] {
    const error = problem instanceof Error ? problem : new Error(String(problem))
    const code = codeOf(problem)
    // A device that limits requests is alive; during a long pause its state is unknown.
    const asksLittle = (causeOf(problem)?.retryAfter ?? 0) <= longestRest
    if (code === 'RATE_LIMITED' && this.#mark && asksLittle) return [this.state, error]
    this.#failures++
    const state = (code && states[code]) ?? 'unreachable'
    const isEarly =
      !this.#mark &&
      this.#failures <= checkDeadline.failures &&
      performance.now() - this.#started < checkDeadline.milliseconds
    return [isEarly && state === 'unreachable' ? 'connecting' : state, error]
  }
}

const silent: ReadonlySet<string> = new Set(['UNREACHABLE', 'TIMEOUT', 'OUTCOME_UNKNOWN', 'STARTING'])

const states: Partial<Record<string, LinkState>> = {
  STARTING: 'starting',
  RATE_LIMITED: 'askedToWait',
  UNAUTHORIZED: 'loginRefused',
  FORBIDDEN: 'loginRefused',
  NOT_FOUND: 'otherDevice',
  BAD_REPLY: 'otherDevice',
  DEVICE_FAULT: 'inTrouble',
  INVALID_INPUT: 'wrongSettings',
}

const multiOnly = ['pipelines', 'sensor_interfaces', 'userspace'] as const

export async function variantOf(
  client: Client,
  system: SysInfo,
  options: CallOptions,
): Promise<Variant | undefined> {
  if (multiOnly.some((key) => system[key] !== undefined)) return 'multi'
  try {
    await client.getUserSpace(options)
    return 'multi'
  } catch (error) {
    // Without an answer, the next check asks again.
    return answered.has(codeOf(error) ?? '') ? 'single' : undefined
  }
}

const answered: ReadonlySet<string> = new Set(['NOT_FOUND', 'BAD_REPLY', 'FORBIDDEN'])

export interface ChosenReading {
  values: readonly ChosenValue[]
  /** Seconds. */
  interval: number
}

const patience = 5000

/** Reads the chosen values regularly, with its own calls, which delay no others. */
class ReadChosen {
  readonly #nodes: KnownNodes
  readonly #shown: StatusValues
  readonly #reading: ChosenReading
  readonly #client: Client | undefined
  readonly #scope = new Scope()
  readonly #timer: NodeJS.Timeout | undefined
  #isReading = false
  #isReady = false

  constructor(open: () => Client, nodes: KnownNodes, shown: StatusValues, reading: ChosenReading) {
    this.#nodes = nodes
    this.#shown = shown
    this.#reading = reading
    if (reading.values.length === 0) return
    this.#client = open()
    this.#timer = startInterval(() => this.#begin(), 1000 * reading.interval)
  }

  /** Reads at once when the device becomes ready. */
  linked(isReady: boolean): void {
    const isNew = isReady && !this.#isReady
    this.#isReady = isReady
    if (isNew) this.#begin()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([this.#scope.close(), this.#client?.close()])
  }

  #begin(): void {
    this.#scope.begin(() => this.#readAll())
  }

  async #readAll(): Promise<void> {
    const client = this.#client
    if (!client || !this.#isReady || this.#isReading) return
    this.#isReading = true
    const places = new Map<string, ChosenValue[]>()
    for (const value of this.#reading.values) {
      const place = `${value.pipeline} ${value.node}`
      places.set(place, [...(places.get(place) ?? []), value])
    }
    // An unreadable value is missing in the metrics; the others are still read.
    for (const values of places.values()) await settled(this.#read(client, values))
    this.#isReading = false
  }

  async #read(client: Client, chosen: readonly ChosenValue[]): Promise<void> {
    const [{ pipeline, node } = { pipeline: '', node: '' }] = chosen
    const signal = AbortSignal.any([this.#scope.signal, abortedAfter(patience)])
    await this.#nodes.call({ pipeline, node, signal }, async (target) => {
      const { values } = await statusOf(client, target, signal)
      const place = { pipeline: target.scope === 'pipeline' ? target.pipeline : '', node: target.node }
      for (const value of chosen) {
        const text = (values as Record<string, unknown>)[value.value]
        this.#shown.took(value, place, text, 3000 * this.#reading.interval)
      }
    })
  }
}

const statusOf = (client: Client, target: Target, signal: AbortSignal) =>
  target.scope === 'pipeline'
    ? client.getNodeStatus({ pipeline: target.pipeline, node: target.node }, { signal })
    : client.getGlobalNodeStatus({ node: target.node }, { signal })

/** Every call has a deadline. */
export type DeviceClientOptions = ClientOptions & { deadline: number }

export interface ImageService {
  /** TCP port of pipeline 0; the others follow. */
  port: number
  /** @default without TLS */
  tls?: Tls
}

/** Shorter than a call's deadline, so that the status is up to date sooner; ms. */
const healthDeadline = 2000

/** A write might meet a starting device. */
const unsettled: ReadonlySet<LinkState> = new Set(['connecting', 'starting'])

interface ConnectionOptions extends Pick<LinkOptions, 'interval' | 'changed'> {
  images: ImageService
  metrics: DeviceMetrics
  chosen: ChosenReading
}

export class Connection {
  readonly client: Client
  readonly records: ParameterRecords
  readonly lists: DeviceLists
  readonly link: Link
  readonly images: ImageService
  readonly metrics: DeviceMetrics
  /** For opening a connection, ms; undefined if the settings have none. */
  readonly connectDeadline: number | undefined
  /** For a call, ms; a node may override it. */
  readonly deadline: number
  variant: Variant | undefined
  readonly #nodes: KnownNodes
  /** Checks must not wait behind calls; one lost connection does not make a device unreachable. */
  readonly #watcher: Client
  readonly #chosen: ReadChosen

  constructor(
    create: typeof createClient,
    options: DeviceClientOptions,
    { interval, changed, images, metrics, chosen }: ConnectionOptions,
  ) {
    const { noteCall } = loadMetrics()
    this.client = countingWrites(
      create({
        ...options,
        onCallEnded: (call) => noteCall(metrics, call),
        mayBeStarting: () => unsettled.has(this.link.state),
        onAway: () => {
          // A waiting call may be answered by another device before the link notices.
          this.#nodes.forget()
          this.link.suspect()
        },
      }),
    )
    this.deadline = options.deadline
    this.connectDeadline = options.connectDeadline
    this.images = images
    this.metrics = metrics
    this.#watcher = create({ ...options, concurrency: 1, pace: 0, retries: 1 })
    this.#nodes = new KnownNodes(this.client)
    this.records = new ParameterRecords(this.client)
    this.lists = new DeviceLists(this.#watcher)
    this.#chosen = new ReadChosen(
      () => create({ ...options, concurrency: 1, retries: 0 }),
      this.#nodes,
      metrics.values,
      chosen,
    )
    this.link = new Link({
      interval,
      changed: (state, error) => {
        this.#chosen.linked(state === 'ready')
        changed(state, error)
      },
      ask: (signal) => this.#counted(this.#ask(signal)),
      connected: () => {
        this.#nodes.forget()
        this.records.forget()
        this.lists.forget()
      },
    })
  }

  onNode<Answer>(query: NodeQuery, call: (target: Target) => Promise<Answer>): Promise<Answer> {
    return this.#nodes.call(query, call)
  }

  async close(): Promise<void> {
    this.link.close()
    await Promise.all([this.client.close(), this.#watcher.close(), this.#chosen.close()])
  }

  /** Counts a check, unless the connection ends it. */
  async #counted(check: Promise<SysInfo>): Promise<SysInfo> {
    try {
      const system = await check
      this.metrics.answered(system)
      return system
    } catch (error) {
      if (codeOf(error) !== 'ABORTED') this.metrics.failed()
      throw error
    }
  }

  async #ask(signal: AbortSignal): Promise<SysInfo> {
    const options = { signal, deadline: healthDeadline, waitForDevice: false }
    const system = await this.#watcher.getSystem(options)
    // A new connection may lead to another device.
    if (!this.variant || this.link.state !== 'ready')
      this.variant = await variantOf(this.#watcher, system, options)
    return system
  }
}
