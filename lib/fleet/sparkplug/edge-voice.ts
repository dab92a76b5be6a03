import type { Metric, MetricValue } from './payload'
import { sparkplugTopic, type EdgeName } from './topics'
import { writePayload } from './write-payload'

/** Numbers of connections and of messages go from 0 to 255. */
export const nextNumber = (number: number): number => (number + 1) % 256

/** A device as it stands now. */
export interface EdgeDevice {
  /** One level of a topic, unique in the cell. */
  id: string
  /** Whether it answers; one that does not is dead. */
  alive: boolean
  metrics: readonly Metric[]
}

export interface VoiceOptions extends EdgeName {
  /** Publishes with QoS 0, not retained. */
  publish: (topic: string, payload: Buffer) => void
  /** Milliseconds since 1970. @default Date.now */
  clock?: () => number
}

/** Values as they were published last, by name; undefined: to be published again. */
type KnownValues = Map<string, MetricValue | undefined>

/** What an edge node publishes between two births: data of what was born, in a sequence without gaps. */
export class EdgeVoice {
  readonly #options: VoiceOptions
  readonly #born = new Map<string, KnownValues>()
  #node: KnownValues = new Map()
  #seq = 0

  constructor(options: VoiceOptions) {
    this.#options = options
  }

  /** Begins anew: the node first, with its own metrics and those that are told in births alone. */
  birth(only: readonly Metric[], node: readonly Metric[], devices: readonly EdgeDevice[]): void {
    this.#born.clear()
    this.#seq = 255
    this.#node = valuesOf(node)
    this.#say('NBIRTH', [...only, ...node])
    for (const device of devices) if (device.alive) this.#bear(device)
  }

  /** Publishes what has changed since. */
  tell(node: readonly Metric[], devices: readonly EdgeDevice[]): void {
    const changed = changesIn(this.#node, node)
    if (changed.length > 0) this.#say('NDATA', changed)
    for (const id of [...this.#born.keys()]) {
      if (devices.some((device) => device.id === id && device.alive)) continue
      this.#born.delete(id)
      this.#say('DDEATH', [], id)
    }
    for (const device of devices) if (device.alive) this.#tellDevice(device)
  }

  /** The next time, this metric is published whether it has changed or not. */
  repeat(device: string, metric: string): void {
    const known = this.#born.get(device)
    if (known?.has(metric)) known.set(metric, undefined)
  }

  #bear({ id, metrics }: EdgeDevice): void {
    this.#born.set(id, valuesOf(metrics))
    this.#say('DBIRTH', metrics, id)
  }

  #tellDevice(device: EdgeDevice): void {
    const { id, metrics } = device
    const known = this.#born.get(id)
    if (!known || known.size !== metrics.length || metrics.some(({ name }) => !known.has(name))) {
      this.#bear(device)
      return
    }
    const changed = changesIn(known, metrics)
    if (changed.length > 0) this.#say('DDATA', changed, id)
  }

  #say(kind: Parameters<typeof sparkplugTopic>[1], metrics: readonly Metric[], device?: string): void {
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
