import { type Metric, type MetricValue, writePayload } from './payload'

const namespace = 'spBv1.0'

/** An edge node: the cell, in the group of its plant. */
interface EdgeName {
  group: string
  edge: string
}

/** Topic of an edge node, or of one of its devices. */
const sparkplugTopic = (
  { group, edge }: EdgeName,
  kind: 'NBIRTH' | 'NDEATH' | 'NDATA' | 'DBIRTH' | 'DDEATH' | 'DDATA',
  device?: string,
): string => [namespace, group, kind, edge, ...(device === undefined ? [] : [device])].join('/')

/** What arrives for an edge node; undefined for any other topic. */
export type SparkplugArrival = { kind: 'NCMD' } | { kind: 'DCMD'; device: string } | { kind: 'STATE' }

/** @param host the primary host, if there is one */
export function readSparkplugTopic(
  { group, edge }: EdgeName,
  host: string | undefined,
  topic: unknown,
): SparkplugArrival | undefined {
  if (typeof topic !== 'string' || topic.length > 500) return undefined
  if (host !== undefined && (topic === `${namespace}/STATE/${host}` || topic === `STATE/${host}`))
    return { kind: 'STATE' }
  const [space, plant, kind, cell, device, ...more] = topic.split('/')
  if (space !== namespace || plant !== group || cell !== edge || more.length > 0) return undefined
  if (kind === 'NCMD' && device === undefined) return { kind }
  return kind === 'DCMD' && device !== undefined ? { kind, device } : undefined
}

/** Whether a topic belongs to Sparkplug, whomever it is for. */
export const isSparkplugTopic = (topic: unknown): boolean =>
  typeof topic === 'string' && (topic.startsWith(`${namespace}/`) || topic.startsWith('STATE/'))

/** Whether a text can be the id of a host, a group or a device: one level of a topic. */
export const isSparkplugId = (text: string): boolean => /^[^/+#\0]{1,200}$/.test(text)

/** Names of devices as levels of topics: different ones stay different, also without regard to case. */
export function sparkplugIds(names: readonly string[]): Map<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names) {
    const plain = name.replaceAll(/[/+#\0]/g, '-') || '-'
    let id = plain
    for (let count = 2; taken.has(id.toLowerCase()); count++) id = `${plain}-${count}`
    taken.add(id.toLowerCase())
    ids.set(name, id)
  }
  return ids
}

/** State of the primary host; version 2.2 of the specification has no time. */
interface HostState {
  online: boolean
  /** Milliseconds since 1970, by the clock of the host. */
  timestamp?: number
}

/** Bytes of the longest message that is read. */
const mostBytes = 1000

/** Reads `{"online":true,"timestamp":…}` of version 3.0, or `ONLINE` and `OFFLINE` of version 2.2. */
export function readHostState(payload: unknown): HostState | undefined {
  const isText = typeof payload === 'string' || payload instanceof Uint8Array
  if (isText && payload.length > mostBytes) return undefined
  const text = isText ? Buffer.from(payload).toString('utf8').trim() : undefined
  if (text === 'ONLINE' || text === 'OFFLINE') return { online: text === 'ONLINE' }
  const value = text === undefined ? payload : parsed(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { online, timestamp } = value as Record<string, unknown>
  if (typeof online !== 'boolean') return undefined
  return { online, ...(typeof timestamp === 'number' && { timestamp }) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether the primary host is online, from the messages on this connection. */
class HostWatch {
  readonly #isNeeded: boolean
  #isOnline = false
  /** Of the newest message that counted. */
  #timestamp = -Infinity

  /** @param isNeeded whether there is a primary host */
  constructor(isNeeded: boolean) {
    this.#isNeeded = isNeeded
  }

  /** Whether births may be published. */
  get isOnline(): boolean {
    return !this.#isNeeded || this.#isOnline
  }

  /** A new connection: the broker must report the host again. */
  forget(): void {
    this.#isOnline = false
    this.#timestamp = -Infinity
  }

  /** @returns `gone` where it was there before and is no longer */
  update({ online, timestamp = this.#timestamp }: HostState): 'gone' | undefined {
    // The last will of an old connection of the host may come after the host is back.
    if (timestamp < this.#timestamp) return undefined
    this.#timestamp = timestamp
    const isGone = this.#isOnline && !online
    this.#isOnline = online
    return isGone ? 'gone' : undefined
  }
}

/** Numbers of connections and of messages go from 0 to 255. */
const nextNumber = (number: number): number => (number + 1) % 256

/** Present state of a device. */
export interface EdgeDevice {
  /** One level of a topic, unique in the cell. */
  id: string
  /** Whether it answers; one that does not is dead. */
  alive: boolean
  metrics: readonly Metric[]
}

interface PublisherOptions extends EdgeName {
  /** Publishes with QoS 0, not retained. */
  publish: (topic: string, payload: Buffer) => void
  /** Milliseconds since 1970. @default Date.now */
  clock?: () => number
}

/** Values as they were published last, by name; undefined: to be published again. */
type KnownValues = Map<string, MetricValue | undefined>

/** What an edge node publishes between two births: data of what was born, in a sequence without gaps. */
class EdgePublisher {
  readonly #options: PublisherOptions
  readonly #born = new Map<string, KnownValues>()
  #node: KnownValues = new Map()
  #seq = 0

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  /** Publishes all births: the node first, with the metrics that only births have. */
  birth(only: readonly Metric[], node: readonly Metric[], devices: readonly EdgeDevice[]): void {
    this.#born.clear()
    this.#seq = 255
    this.#node = valuesOf(node)
    this.#publish('NBIRTH', [...only, ...node])
    for (const device of devices) if (device.alive) this.#birthDevice(device)
  }

  /** Publishes what has changed since. */
  publishChanges(node: readonly Metric[], devices: readonly EdgeDevice[]): void {
    const changed = changesIn(this.#node, node)
    if (changed.length > 0) this.#publish('NDATA', changed)
    for (const id of [...this.#born.keys()]) {
      if (devices.some((device) => device.id === id && device.alive)) continue
      this.#born.delete(id)
      this.#publish('DDEATH', [], id)
    }
    for (const device of devices) if (device.alive) this.#publishDevice(device)
  }

  /** The next time, this metric is published whether it has changed or not. */
  repeat(device: string, metric: string): void {
    const known = this.#born.get(device)
    if (known?.has(metric)) known.set(metric, undefined)
  }

  #birthDevice({ id, metrics }: EdgeDevice): void {
    this.#born.set(id, valuesOf(metrics))
    this.#publish('DBIRTH', metrics, id)
  }

  #publishDevice(device: EdgeDevice): void {
    const { id, metrics } = device
    const known = this.#born.get(id)
    if (!known || known.size !== metrics.length || metrics.some(({ name }) => !known.has(name))) {
      this.#birthDevice(device)
      return
    }
    const changed = changesIn(known, metrics)
    if (changed.length > 0) this.#publish('DDATA', changed, id)
  }

  #publish(kind: Parameters<typeof sparkplugTopic>[1], metrics: readonly Metric[], device?: string): void {
    this.#seq = nextNumber(this.#seq)
    const complete = kind === 'NBIRTH' || kind === 'DBIRTH'
    const { clock = Date.now } = this.#options
    const payload = writePayload({ timestamp: clock(), seq: this.#seq, metrics, complete })
    this.#options.publish(sparkplugTopic(this.#options, kind, device), payload)
  }
}

const valuesOf = (metrics: readonly Metric[]): KnownValues =>
  new Map(metrics.map(({ name, value }) => [name, value]))

/** Metrics whose values differ from those that are known, which become those now. */
function changesIn(known: KnownValues, metrics: readonly Metric[]): Metric[] {
  const changed = metrics.filter(({ name, value }) => !Object.is(known.get(name), value))
  for (const { name, value } of changed) known.set(name, value)
  return changed
}

/** A connection to be made: its last will, which is published too when it is ended on purpose. */
export interface EdgeConnection {
  number: number
  topic: string
  payload: Buffer
}

export interface EdgeNodeOptions extends PublisherOptions {
  /** Id of the host without which nothing is published. @default none */
  primaryHost?: string
  /** Number of the last connection of an earlier start. @default none */
  last?: number
  /** Ends the connection that there is, if there is one; `left` takes the number of the request. */
  leave: (request: number) => void
  /** Makes a connection with this last will. */
  connect: (connection: EdgeConnection) => void
}

/**
 * `leaving`: the old connection is being ended. `waiting`: connected, but the primary host is not seen. `online`: the
 * births are published.
 */
export type EdgePhase = 'off' | 'leaving' | 'connecting' | 'waiting' | 'online'

const bdSeq = 'bdSeq'

/** The metric of a node that asks for its births. */
export const rebirthMetric = 'Node Control/Rebirth'

/**
 * An edge node of Sparkplug B: one number for the last will of a connection and the births on it, raised with each
 * connection; births before data, in a sequence without gaps.
 */
export class EdgeNode {
  readonly #options: EdgeNodeOptions
  readonly #host: HostWatch
  readonly #publisher: EdgePublisher
  #phase: EdgePhase = 'off'
  #number: number
  /** Whether the broker may know a connection with this number. */
  #isUsed = true
  #request = 0
  #isRebirthAsked = false
  /** Undefined until known: a birth contains all metrics. */
  #node: readonly Metric[] | undefined
  #devices: readonly EdgeDevice[] = []

  constructor(options: EdgeNodeOptions) {
    this.#options = options
    this.#publisher = new EdgePublisher(options)
    this.#host = new HostWatch(options.primaryHost !== undefined)
    this.#number = options.last ?? 255
  }

  get phase(): EdgePhase {
    return this.#phase
  }

  /** Makes the first connection. */
  start(): void {
    this.#renew()
  }

  /** The old connection has ended, as was asked for with this number. */
  left(request: number): void {
    if (this.#phase !== 'leaving' || request !== this.#request) return
    this.#phase = 'connecting'
    if (this.#isUsed) this.#number = nextNumber(this.#number)
    this.#isUsed = false
    this.#host.forget()
    const { clock = Date.now } = this.#options
    this.#options.connect({
      number: this.#number,
      topic: sparkplugTopic(this.#options, 'NDEATH'),
      payload: writePayload({ timestamp: clock(), metrics: [this.#bdSeq()] }),
    })
  }

  /** There is a connection, whichever. */
  up(): void {
    if (this.#phase === 'connecting' || this.#phase === 'leaving') this.#isUsed = true
  }

  /** The connection with this number is there, for the first time. */
  connected(number: number): void {
    if (this.#phase !== 'connecting' || number !== this.#number) return
    this.#isUsed = true
    this.#phase = 'waiting'
    this.#beginWhenSeen()
  }

  /** The connection is lost: the next one needs a last will of its own, so it must not be made again as it was. */
  disconnected(): void {
    if (this.#phase === 'waiting' || this.#phase === 'online') this.#renew()
  }

  /** Asks once more for what has not happened: the request may have got lost. */
  again(): void {
    if (this.#phase === 'leaving' || this.#phase === 'connecting') this.#renew()
  }

  receiveHostState(state: HostState): void {
    const change = this.#host.update(state)
    if (this.#phase === 'online' && change === 'gone') this.#renew()
    else if (this.#phase === 'waiting') this.#beginWhenSeen()
  }

  /** Births are published again with the next update: many hosts may ask at once. */
  rebirth(): void {
    this.#isRebirthAsked = true
  }

  /** The next update publishes this metric, whether it has changed or not. */
  repeat(device: string, metric: string): void {
    this.#publisher.repeat(device, metric)
  }

  /** Publishes what has changed. */
  update(node: readonly Metric[], devices: readonly EdgeDevice[]): void {
    this.#node = node
    this.#devices = devices
    if (this.#phase === 'waiting') this.#beginWhenSeen()
    else if (this.#phase !== 'online') return
    else if (this.#isRebirthAsked) this.#birth()
    else this.#publisher.publishChanges(node, devices)
  }

  #renew(): void {
    this.#phase = 'leaving'
    this.#options.leave(++this.#request)
  }

  #beginWhenSeen(): void {
    if (!this.#host.isOnline || !this.#node) return
    this.#phase = 'online'
    this.#birth()
  }

  #birth(): void {
    this.#isRebirthAsked = false
    const rebirth: Metric = { name: rebirthMetric, type: 'Boolean', value: false }
    this.#publisher.birth([this.#bdSeq(), rebirth], this.#node ?? [], this.#devices)
  }

  #bdSeq(): Metric {
    return { name: bdSeq, type: 'Int64', value: this.#number }
  }
}
