import { HostWatch } from './host-watch'
import type { HostState } from './host-state'
import { EdgeVoice, nextNumber, type EdgeDevice, type VoiceOptions } from './edge-voice'
import type { Metric } from './payload'
import { sparkplugTopic } from './topics'
import { writePayload } from './write-payload'

/** A connection to be made: its last will, which is published too when it is ended on purpose. */
export interface EdgeConnection {
  number: number
  topic: string
  payload: Buffer
}

export interface EdgeNodeOptions extends VoiceOptions {
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
  readonly #voice: EdgeVoice
  #phase: EdgePhase = 'off'
  #number: number
  /** Whether the broker may know a connection with this number. */
  #isUsed = true
  #request = 0
  #isRebirthAsked = false
  /** Undefined until it is known: a birth tells all metrics. */
  #node: readonly Metric[] | undefined
  #devices: readonly EdgeDevice[] = []

  constructor(options: EdgeNodeOptions) {
    this.#options = options
    this.#voice = new EdgeVoice(options)
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

  hostSays(state: HostState): void {
    const change = this.#host.hear(state)
    if (this.#phase === 'online' && change === 'gone') this.#renew()
    else if (this.#phase === 'waiting') this.#beginWhenSeen()
  }

  /** Births are published again with the next update: many hosts may ask at once. */
  rebirth(): void {
    this.#isRebirthAsked = true
  }

  /** The next update publishes this metric, whether it has changed or not. */
  repeat(device: string, metric: string): void {
    this.#voice.repeat(device, metric)
  }

  /** Publishes what has changed. */
  update(node: readonly Metric[], devices: readonly EdgeDevice[]): void {
    this.#node = node
    this.#devices = devices
    if (this.#phase === 'waiting') this.#beginWhenSeen()
    else if (this.#phase !== 'online') return
    else if (this.#isRebirthAsked) this.#birth()
    else this.#voice.tell(node, devices)
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
    this.#voice.birth([this.#bdSeq(), rebirth], this.#node ?? [], this.#devices)
  }

  #bdSeq(): Metric {
    return { name: bdSeq, type: 'Int64', value: this.#number }
  }
}
