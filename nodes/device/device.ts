/** A device as the nodes and the editor share it: who uses it, its connection, where its images are. */
import type { Node, NodeAPI } from 'node-red'
import { loadClient, loadContract } from '../shared/load-later'
import { loadMetrics } from '../metrics/load-metrics'
import type { LinkState } from '../shared/status'
import { Connection, type DeviceClientOptions, type ImageService, type ChosenReading } from './connection'
import type { images, Client, ClientOptions, createClient } from '../../lib'
import type { DeviceMetrics } from '../metrics/families'
import type { Group } from '../metrics/measuring'
import { startTimeout } from '../../lib/kernel/timers'
import type { OperationId } from '../../lib/contract'
import { KnownNodes, onOwnNode } from './known-nodes'
import type { ImageLinkOptions } from '../../lib/images/options'
import { currentLanguage } from '../shared/node-error'
import { ownImagePort } from '../shared/allowed-place'
import { sentencesOf } from '../sentences'

/** Without scheme, port and path. */
export const hostOf = ({ client }: Pick<Connection, 'client'>): string => new URL(client.address).hostname

const { invalidInput } = sentencesOf('device')

const lastPort = 65_535

/** @default port of every device */
const usualPort = 50_051

export type ImagePlace = Pick<
  ImageLinkOptions,
  'host' | 'port' | 'device' | 'tls' | 'connectDeadline' | 'language'
>

/**
 * The host of the device; the configured port plus the pipeline number. A virtual device of this Node-RED may have had to
 * take another port, and is found there.
 * @throws INVALID_INPUT if the pipeline is not a number, or too high
 */
export async function imagePlace(
  device: Pick<Connection, 'client' | 'images' | 'connectDeadline'>,
  pipeline: string,
): Promise<ImagePlace> {
  const { port: set, tls } = device.images
  const own = set === usualPort ? await ownImagePort(new URL(device.client.address)) : undefined
  const port = own ?? set
  const number = /^\d{1,5}$/.test(pipeline) ? Number(pipeline) : NaN
  if (!(port + number <= lastPort)) throw invalidInput('no-image-pipeline', { pipeline })
  return {
    // URLs have IPv6 addresses in brackets.
    host: hostOf(device).replace(/^\[(.*)\]$/, '$1'),
    port: port + number,
    device: device.client.name,
    ...(tls && { tls }),
    ...(device.connectDeadline !== undefined && { connectDeadline: device.connectDeadline }),
    language: currentLanguage(),
  }
}

/** Milliseconds; short because a user waits. */
const longest = { read: 4000, connecting: 3000 }

const atOnce = 2

const room = 200

interface InspectionOptions {
  signal: AbortSignal
  /** Milliseconds. @default the configured deadline; for reads at most 4000 */
  deadline?: number | undefined
}

/** The editor's access, over its own connections, so that dialogs cannot delay the flow. */
export class Inspection {
  readonly client: Client
  readonly #nodes: KnownNodes
  readonly #deadlines: { read: number; call: number }

  /** @throws INVALID_INPUT for invalid options */
  constructor(create: typeof createClient, options: ClientOptions) {
    const { deadline = longest.read, connectDeadline = longest.connecting, concurrency = atOnce } = options
    this.client = create({
      ...options,
      connectDeadline: Math.min(connectDeadline, longest.connecting),
      concurrency: Math.min(concurrency, atOnce),
      queue: room,
      retries: 1,
    })
    this.#deadlines = { read: Math.min(deadline, longest.read), call: deadline }
    this.#nodes = new KnownNodes(this.client)
  }

  ask(id: OperationId, input: object, { signal, deadline }: InspectionOptions): Promise<unknown> {
    const { operation } = loadContract()
    const { method } = operation(id)
    const within = deadline ?? (method === 'GET' ? this.#deadlines.read : this.#deadlines.call)
    const request = (which: OperationId, given: object) =>
      this.client.request(which, given, { deadline: within, signal, waitForDevice: false })

    return onOwnNode((query, call) => this.#nodes.call(query, call), { id, input, signal }, request)
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

interface DeviceOptions {
  /** @throws INVALID_INPUT for invalid settings */
  clientOptions: () => DeviceClientOptions
  atOnce: number
  room: number
  /** Seconds. */
  healthInterval: number
  /** Image port of pipeline 0. */
  imagePort: number
  /** With the certificates of the settings. */
  imageTls: boolean
  /** Filled with the joined nodes. */
  users: Record<string, Node>
  changed: (state: LinkState, error?: Error) => void
  metrics: Group
  chosen: ChosenReading
  /** As it may be shown. */
  address: () => string
}

/** A node may have several. */
interface Member {
  node: Node
  onState: (state: LinkState) => void
}

/** Milliseconds for nodes to leave; Node-RED waits 15 s. */
const patience = 10_000

/** For opening an image stream, ms; short because a user waits. */
const longestConnect = 3000

/** Shared by its nodes. Nothing is loaded or sent before the first joins. */
export class Device {
  readonly atOnce: number
  readonly room: number
  state: LinkState = 'connecting'

  trouble: Error | undefined
  readonly metrics: DeviceMetrics
  readonly #options: DeviceOptions
  readonly #members = new Set<Member>()
  #connection: Connection | undefined
  #problem: unknown
  #inspection: Inspection | undefined
  #views: images.CameraViews | undefined

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

  /** Reports the present and every later state until the returned function is called. */
  join(node: Node, onState: Member['onState']): () => void {
    const member = { node, onState }
    this.#members.add(member)
    this.#options.users[node.id] = node
    if (!this.#connection && !this.#problem) this.#connect()
    onState(this.state)
    return () => {
      this.#members.delete(member)
      if (![...this.#members].some((other) => other.node === node))
        Reflect.deleteProperty(this.#options.users, node.id)
      if (this.#members.size === 0) this.#left?.()
    }
  }

  get isWatched(): boolean {
    return this.#members.size > 0
  }

  /** @throws INVALID_INPUT for invalid settings */
  get connection(): Connection {
    if (!this.#connection) throw this.#problem
    return this.#connection
  }

  /** @throws INVALID_INPUT for invalid settings */
  get inspection(): Inspection {
    return (this.#inspection ??= new Inspection(loadClient().createClient, this.#options.clientOptions()))
  }

  /**
   * The newest picture of a camera, for the editor; all viewers share one stream.
   * @throws INVALID_INPUT for invalid settings or a pipeline that is not a number; why there is no picture
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

  /** Outcome of a call; the connection may have changed. */
  noticed(error?: unknown): void {
    this.#connection?.link.hint(error)
  }

  /** Node-RED closes it together with its nodes, which may still have to restore something. */
  async close(): Promise<void> {
    this.#connection?.link.close()
    if (this.#members.size > 0) await this.#allLeft()
    await Promise.all([this.#connection?.close(), this.#inspection?.close(), this.#views?.close()])
  }

  #allLeft(): Promise<void> {
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
    for (const { onState } of this.#members) onState(state)
  }
}

/** Undefined if missing or disabled. */
export function deviceOf(RED: NodeAPI, id: string): Device | undefined {
  const node = RED.nodes.getNode(id) as (Node & { device: Device }) | null | undefined
  return node?.type === 'vision-device-config' ? node.device : undefined
}
