import type { NodeMessage } from 'node-red'
import { randomUUID } from 'node:crypto'
import type { EdgeConnection, EdgeNode, EdgeNodeOptions } from '../../lib/fleet/sparkplug/edge-node'
import { isObject } from '../shared/is-object'
import { openValue, type DurableValue, type StorageOptions } from '../../lib/kernel/storage'
import { RetrySchedule, type RetryOptions } from '../../lib/kernel/connection'
import { startTimeout } from '../../lib/kernel/timers'
import { asSentence } from '../shared/sentences'
import { loadSparkplug } from '../shared/load-later'
import { LastConnection } from './kept-files'
import { sentencesOf } from '../sentences'

/** Asks `mqtt out` to end its connection; if it has one, it publishes the death first. */
const leaveMessage = (agent: string, request: number): NodeMessage => ({
  action: 'disconnect',
  sparkplug: { agent, request },
})

/**
 * Asks `mqtt out` to connect with this last will. No `force`: Node-RED would end if the node were deployed again while it
 * waits for the end of the old connection.
 */
function connectMessage(agent: string, { number, topic, payload }: EdgeConnection): NodeMessage {
  const death = { topic, payload, retain: false }
  return {
    action: 'connect',
    broker: { will: { ...death, qos: 1 }, close: { ...death, qos: 0 } },
    sparkplug: { agent, connection: number },
  }
}

/** For `mqtt out`: nothing of Sparkplug is retained. */
const sparkplugMessage = (topic: string, payload: Buffer): NodeMessage => ({
  topic,
  payload,
  qos: 0,
  retain: false,
  sparkplug: {},
})

/** What the nodes that watch `mqtt out` report. */
export type LinkNews = { kind: 'left' | 'connected'; number: number } | { kind: 'up' | 'down' | 'other' }

/** Reads the messages of *status* and *complete* nodes that watch `mqtt out`; undefined for any other. */
function linkNewsIn(agent: string, msg: object): LinkNews | undefined {
  const { status, sparkplug } = msg as Record<string, unknown>
  if (isObject(sparkplug)) {
    const { request, connection } = sparkplug
    if (sparkplug['agent'] !== agent) return { kind: 'other' }
    if (typeof request === 'number') return { kind: 'left', number: request }
    return typeof connection === 'number' ? { kind: 'connected', number: connection } : { kind: 'other' }
  }
  if (!isObject(status) || !isObject(status['source'])) return undefined
  const { type } = status['source']
  if (type !== 'mqtt out' && type !== 'mqtt in') return undefined
  switch (status['text']) {
    case 'node-red:common.status.connected':
      return { kind: 'up' }
    case 'node-red:common.status.disconnected':
      return { kind: 'down' }
    default:
      return { kind: 'other' }
  }
}

const { invalidInput } = sentencesOf('cell-agent')

/** Milliseconds after which an unanswered request is repeated: it may have been lost. */
const repeatAfter = { leaving: 5000, connecting: 30_000 }

/** Pauses before a lost connection is made again, milliseconds: at random, so that many cells do not return at once. */
const pauses = { first: 200, longest: 60_000 }

/** Milliseconds for which a connection lasts that ends the growth of the pauses. */
const stableAfter = 10_000

/** Milliseconds within which both nodes that watch `mqtt out` report a connection. */
const newsWithin = 5000

interface LinkParts extends Pick<EdgeNodeOptions, 'group' | 'edge' | 'primaryHost'> {
  /** For the number of the last connection. */
  file: StorageOptions
  send: (msg: NodeMessage) => void
  /** Reports an error in the flow. */
  reportError: (error: Error) => void
  /** @default 0.2 to 60 s */
  retry?: RetryOptions
}

/**
 * An edge node that is connected by an `mqtt out` node, whose state a *status* and a *complete* node report. A broker that
 * closes each connection at once is asked ever more rarely: only a connection that lasts, or a deploy, resets the pauses.
 */
export class EdgeLink {
  readonly edge: EdgeNode
  /** Of this start, so that what was asked by an earlier one is not taken for an answer. */
  readonly #agent = randomUUID()
  readonly #parts: LinkParts
  readonly #last: DurableValue<LastConnection>
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #schedule: RetrySchedule
  #pause: NodeJS.Timeout | undefined
  #stable: NodeJS.Timeout | undefined
  /** Whether the connection to be made follows one that was lost, or a request without an answer. */
  #isRetry = false
  #requestedAt = 0
  #isUp = false
  #isClosed = false

  private constructor(parts: LinkParts, last: DurableValue<LastConnection>) {
    const { send, group, edge, primaryHost, retry = pauses } = parts
    this.#schedule = new RetrySchedule(retry)
    this.#parts = parts
    this.#last = last
    const { connection: lastNumber } = last.value
    const { EdgeNode: Edge } = loadSparkplug()
    this.edge = new Edge({
      ...{ group, edge },
      ...(primaryHost && { primaryHost }),
      ...(lastNumber !== undefined && { last: lastNumber }),
      leave: (request) => {
        clearTimeout(this.#pause)
        this.#requestedAt = performance.now()
        send(leaveMessage(this.#agent, request))
      },
      connect: (connection) => this.#connect(connection),
      publish: (topic, payload) => send(sparkplugMessage(topic, payload)),
    })
  }

  #connect(connection: EdgeConnection): void {
    const pause = this.#isRetry ? this.#schedule.next() : 0
    this.#isRetry = false
    this.#isUp = false
    this.#requestedAt = performance.now() + pause
    const connect = () => {
      if (this.#isClosed || this.edge.phase !== 'connecting') return
      // `mqtt out` was deployed again meanwhile, and has connected by itself: it would refuse.
      if (this.#isUp) this.edge.again()
      else this.#parts.send(connectMessage(this.#agent, connection))
    }
    clearTimeout(this.#pause)
    this.#pause = startTimeout(() => {
      // A number that cannot be written is reported by the file.
      this.#last.set({ connection: connection.number }).then(connect, connect)
    }, pause)
  }

  /** Flows were deployed: the nodes of a request may be gone. */
  deployed(): void {
    this.#schedule.reset()
    this.#isRetry = false
    this.edge.again()
  }

  static async open(parts: LinkParts): Promise<EdgeLink> {
    return new EdgeLink(parts, await openValue({ ...parts.file, schema: LastConnection, initial: {} }))
  }

  /** @returns whether the message is about the connection */
  receive(msg: NodeMessage): boolean {
    const news = linkNewsIn(this.#agent, msg)
    switch (news?.kind) {
      case 'left':
        this.edge.left(news.number)
        break
      case 'connected':
        this.edge.connected(news.number)
        clearTimeout(this.#stable)
        this.#stable = startTimeout(() => this.#schedule.reset(), stableAfter)
        this.#expectNews('status', () => this.#isUp)
        break
      case 'up':
        this.#isUp = true
        this.edge.up()
        if (this.edge.phase === 'connecting')
          this.#expectNews('complete', () => this.edge.phase !== 'connecting')
        break
      case 'down':
        clearTimeout(this.#stable)
        // A connection that was lost early proves nothing about the nodes.
        this.#expectNothing()
        this.#isRetry = this.edge.phase === 'waiting' || this.edge.phase === 'online'
        this.edge.disconnected()
    }
    return news !== undefined
  }

  /** Repeats a request that has no answer. */
  poll(): void {
    const { phase } = this.edge
    if (phase !== 'leaving' && phase !== 'connecting') return
    if (performance.now() - this.#requestedAt <= repeatAfter[phase]) return
    this.#isRetry = true
    this.edge.again()
  }

  /** @param isRemoved whether the connection ends, too */
  async close(isRemoved: boolean): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#pause)
    clearTimeout(this.#stable)
    if (isRemoved) this.#parts.send(leaveMessage(this.#agent, 0))
    this.#expectNothing()
    await this.#last.close()
  }

  #expectNothing(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  /** Reports a node that is missing in the flow. */
  #expectNews(node: 'status' | 'complete', isThere: () => boolean): void {
    const timer = startTimeout(() => {
      this.#timers.delete(timer)
      if (!isThere()) this.#parts.reportError(asSentence(invalidInput('cell-sparkplug-node', { node })))
    }, newsWithin)
    this.#timers.add(timer)
  }
}
