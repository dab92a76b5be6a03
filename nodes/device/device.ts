import type { Node } from 'node-red'
import { loadClient } from '../shared/load-later'
import type { LinkState } from '../shared/status'
import { Connection, type DeviceClientOptions, type ImageService } from './connection'
import { imagePlace } from './image-place'
import { Inspection } from './inspection'
import type { images } from '../../lib'
import { type DeviceMetrics, loadMetrics } from '../metrics/families'
import type { Group } from '../metrics/registry'
import type { ChosenReading } from './read-chosen'
import { startTimeout } from '../../lib/kernel/timers'

interface DeviceOptions {
  /** Throws INVALID_INPUT for invalid settings. */
  clientOptions: () => DeviceClientOptions
  /** Messages that a node may have in flight. */
  atOnce: number
  /** Messages that may wait in each node. */
  room: number
  /** Seconds from one health check to the next. */
  healthInterval: number
  /** TCP port of the images of pipeline 0. */
  imagePort: number
  /** Whether images come over TLS, with the certificates of the settings. */
  imageTls: boolean
  /** Filled with the nodes that have joined. */
  users: Record<string, Node>
  changed: (state: LinkState, error?: Error) => void
  /** What is counted of it. */
  metrics: Group
  /** The status values that are read for the metrics. */
  chosen: ChosenReading
  /** Its address as it may be shown. */
  address: () => string
}

/** The membership of a node on the device; a node may have several. */
interface Member {
  node: Node
  told: (state: LinkState) => void
}

/** Milliseconds for nodes to leave; Node-RED itself waits for 15 s. */
const patience = 10_000
/** Milliseconds for opening an image stream; short, because somebody is waiting at a dialog. */
const longestConnect = 3000

/** A device as shared by the nodes on it. Nothing is loaded or sent before the first of them joins. */
export class Device {
  readonly atOnce: number
  readonly room: number
  state: LinkState = 'connecting'
  /** Why it is not ready, if known. */
  trouble: Error | undefined
  readonly metrics: DeviceMetrics
  readonly #options: DeviceOptions
  readonly #members = new Set<Member>()
  #connection: Connection | undefined
  #problem: unknown
  #inspection: Inspection | undefined
  #views: images.CameraViews | undefined
  /** Resolves the wait for the last node to leave. */
  #left: (() => void) | undefined

  constructor(options: DeviceOptions) {
    this.#options = options
    this.atOnce = options.atOnce
    this.room = options.room
    this.metrics = new (loadMetrics().DeviceMetrics)(options.metrics, () => ({
      state: this.isWatched ? this.state : undefined,
      address: options.address(),
    }))
    this.metrics.values.show(options.chosen.values)
  }

  /** Reports the present state and every change to the node, until the returned function is called. */
  join(node: Node, told: Member['told']): () => void {
    const member = { node, told }
    this.#members.add(member)
    this.#options.users[node.id] = node
    if (!this.#connection && !this.#problem) this.#connect()
    told(this.state)
    return () => {
      this.#members.delete(member)
      if (![...this.#members].some((other) => other.node === node))
        Reflect.deleteProperty(this.#options.users, node.id)
      if (this.#members.size === 0) this.#left?.()
    }
  }

  /** Whether a node uses it, so that its state is up to date. */
  get isWatched(): boolean {
    return this.#members.size > 0
  }

  /** @throws INVALID_INPUT for invalid settings */
  get connection(): Connection {
    if (!this.#connection) throw this.#problem
    return this.#connection
  }

  /** The device as used by the editor. @throws INVALID_INPUT for invalid settings */
  get inspection(): Inspection {
    return (this.#inspection ??= new Inspection(loadClient().createClient, this.#options.clientOptions()))
  }

  /**
   * The newest picture of a camera, for the editor: one stream for all who look at it, and none of the flow's.
   * @throws INVALID_INPUT for invalid settings or a pipeline that is no number; why there is no picture
   */
  async look(
    pipeline: string,
    part: images.ViewPart,
    options: images.GlanceOptions,
  ): Promise<images.CameraGlance> {
    const { connectDeadline, tls } = this.#options.clientOptions()
    const place = await imagePlace(
      {
        client: this.inspection.client,
        images: this.#imageService(tls),
        connectDeadline: Math.min(connectDeadline ?? longestConnect, longestConnect),
      },
      pipeline,
    )
    this.#views ??= new (loadClient().images.CameraViews)()
    return this.#views.look({ place, part }, options)
  }

  /** Called with the outcome of a call, which may show that the connection has changed. */
  noticed(error?: unknown): void {
    this.#connection?.link.hint(error)
  }

  /** Node-RED closes a device together with its nodes, which may still have to undo something on the device. */
  async close(): Promise<void> {
    this.#connection?.link.close()
    if (this.#members.size > 0) await this.#deserted()
    await Promise.all([this.#connection?.close(), this.#inspection?.close(), this.#views?.close()])
  }

  #deserted(): Promise<void> {
    return new Promise((resolve) => {
      const late = startTimeout(resolve, patience)
      this.#left = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }

  #imageService(tls: DeviceClientOptions['tls']): ImageService {
    const { imagePort, imageTls } = this.#options
    return { port: imagePort, ...(imageTls && { tls: tls ?? {} }) }
  }

  #connect(): void {
    const { clientOptions, healthInterval, chosen } = this.#options
    try {
      const options = clientOptions()
      this.#connection = new Connection(loadClient().createClient, options, {
        interval: healthInterval,
        images: this.#imageService(options.tls),
        changed: (state, error) => this.#changed(state, error),
        metrics: this.metrics,
        chosen,
      })
      this.#connection.link.start()
    } catch (error) {
      this.#problem = error
      this.#changed('wrongSettings', error as Error)
    }
  }

  #changed(state: LinkState, error?: Error): void {
    this.state = state
    this.trouble = state === 'ready' ? undefined : error
    this.#options.changed(state, error)
    for (const { told } of this.#members) told(state)
  }
}
