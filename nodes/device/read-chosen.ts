import type { Client } from '../../lib'
import { abortedAfter, startInterval } from '../../lib/kernel/timers'
import type { ChosenValue, StatusValues } from '../metrics/families'
import type { KnownNodes, Target } from './known-nodes'

/** The status values that somebody has chosen, and how often they are read. */
export interface ChosenReading {
  values: readonly ChosenValue[]
  /** Seconds. */
  interval: number
}

/** Milliseconds for reading one node. */
const patience = 5000

/** Reads the chosen status values of a device regularly, each node once, by calls of its own that delay no others. */
export class ReadChosen {
  readonly #nodes: KnownNodes
  readonly #shown: StatusValues
  readonly #reading: ChosenReading
  readonly #client: Client | undefined
  readonly #closing = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  #isReading = false
  #isReady = false

  /** @param open the client; not called if there is nothing to read */
  constructor(open: () => Client, nodes: KnownNodes, shown: StatusValues, reading: ChosenReading) {
    this.#nodes = nodes
    this.#shown = shown
    this.#reading = reading
    if (reading.values.length === 0) return
    this.#client = open()
    this.#timer = startInterval(() => void this.#readAll(), 1000 * reading.interval)
  }

  /** The device is ready or no longer: reads at once when it becomes so. */
  linked(isReady: boolean): void {
    const isNew = isReady && !this.#isReady
    this.#isReady = isReady
    if (isNew) void this.#readAll()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    await this.#client?.close()
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
    // A node that the device does not have must not keep the others from being read.
    for (const values of places.values()) await this.#read(client, values).catch(() => undefined)
    this.#isReading = false
  }

  async #read(client: Client, chosen: readonly ChosenValue[]): Promise<void> {
    const [{ pipeline, node } = { pipeline: '', node: '' }] = chosen
    const signal = AbortSignal.any([this.#closing.signal, abortedAfter(patience)])
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
