import type { Client, ClientOptions, createClient } from '../../lib'
import type { Tls } from '../../lib/client/options'
import type { SysInfo, Variant } from '../../lib/contract'
import { KnownNodes, type NodeQuery, type Target } from './known-nodes'
import { Link, type LinkOptions } from './link'
import { DeviceLists } from './device-lists'
import { ParameterRecords } from './parameter-records'
import { codeOf } from '../shared/node-error'
import { variantOf } from './variant-of'
import type { LinkState } from '../shared/status'
import { countingWrites } from '../shared/handle-input'
import { type DeviceMetrics, loadMetrics } from '../metrics/families'
import { ReadChosen, type ChosenReading } from './read-chosen'

/** Client options of a device; every call has a deadline from its settings. */
export type DeviceClientOptions = ClientOptions & { deadline: number }

/** Where a device serves its images. */
export interface ImageService {
  /** TCP port of pipeline 0; those of the others follow it. */
  port: number
  /** @default without TLS */
  tls?: Tls
}

/** Deadline of a health check in ms: shorter than that of a call, so that the status is up to date sooner. */
const healthDeadline = 2000

/** States of the link in which a write might meet a starting device. */
const unsettled: ReadonlySet<LinkState> = new Set(['connecting', 'starting'])

interface ConnectionOptions extends Pick<LinkOptions, 'interval' | 'changed'> {
  images: ImageService
  metrics: DeviceMetrics
  /** The status values that are read for their own sake. */
  chosen: ChosenReading
}

/** An open connection to a device and what is known about it. */
export class Connection {
  readonly client: Client
  /** The device's parameter records. */
  readonly records: ParameterRecords
  /** The device's nodes. */
  readonly lists: DeviceLists
  readonly link: Link
  readonly images: ImageService
  readonly metrics: DeviceMetrics
  /** Milliseconds for opening a connection; undefined if the settings have none. */
  readonly connectDeadline: number | undefined
  /** Milliseconds for a call, unless its node sets another time. */
  readonly deadline: number
  /** Determined by the first answer. */
  variant: Variant | undefined
  readonly #nodes: KnownNodes
  /**
   * Separate, because checks must not wait behind calls. One lost connection alone does not make a device unreachable.
   */
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
          // A call that waits may be answered by another device, before the link has seen it.
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

  /** Calls with the device's own name of a node. */
  onNode<Answer>(asked: NodeQuery, call: (target: Target) => Promise<Answer>): Promise<Answer> {
    return this.#nodes.call(asked, call)
  }

  async close(): Promise<void> {
    this.link.close()
    await Promise.all([this.client.close(), this.#watcher.close(), this.#chosen.close()])
  }

  /** Counts a health check, unless it ends with the connection. */
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
