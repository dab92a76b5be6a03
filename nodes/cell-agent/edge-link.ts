import type { NodeMessage } from 'node-red'
import { randomUUID } from 'node:crypto'
import type { EdgeConnection, EdgeNode, EdgeNodeOptions } from '../../lib/fleet/sparkplug/edge-node'
import { isObject } from '../shared/is-object'
import { openValue, type DurableValue, type StorageOptions } from '../../lib/kernel/storage'
import { startTimeout } from '../../lib/kernel/timers'
import { asSentence } from '../shared/as-sentence'
import { loadSparkplug } from '../shared/load-later'
import { LastConnection } from './kept-files'
import { sentencesOf } from '../sentences'

/** Asks `mqtt out` to end its connection; if it has one, it publishes the death first. */
const leaveMessage = (agent: string, request: number): NodeMessage => ({
  action: 'disconnect',
  sparkplug: { agent, request },
})

/**
 * Asks `mqtt out` to connect with this last will. No `force`: Node-RED would end if the node were deployed anew while it
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

/** What the nodes around `mqtt out` tell. */
export type LinkNews = { kind: 'left' | 'connected'; number: number } | { kind: 'up' | 'down' | 'other' }

/** Reads the messages of *status* and *complete* nodes that look at `mqtt out`; undefined for any other. */
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

/** Milliseconds after which what has not happened is asked for again: the request may have got lost. */
const askAgainAfter = { leaving: 5000, connecting: 30_000 }

/** Milliseconds within which both nodes that look at `mqtt out` have told of a connection. */
const newsWithin = 5000

interface LinkParts extends Pick<EdgeNodeOptions, 'group' | 'edge' | 'primaryHost'> {
  /** For the number of the last connection. */
  file: StorageOptions
  send: (msg: NodeMessage) => void
  /** Says in the flow what is wrong. */
  tell: (error: Error) => void
}

/** An edge node that is connected by an `mqtt out` node, and hears of it from a *status* and a *complete* node. */
export class EdgeLink {
  readonly edge: EdgeNode
  /** Of this start, so that what was asked by an earlier one is not taken for an answer. */
  readonly #agent = randomUUID()
  readonly #parts: LinkParts
  readonly #last: DurableValue<LastConnection>
  readonly #timers = new Set<NodeJS.Timeout>()
  #askedAt = 0
  #isUpHeard = false
  #isClosed = false

  private constructor(parts: LinkParts, last: DurableValue<LastConnection>) {
    const { send, group, edge, primaryHost } = parts
    this.#parts = parts
    this.#last = last
    const { connection: lastNumber } = last.value
    const { EdgeNode: Edge } = loadSparkplug()
    this.edge = new Edge({
      ...{ group, edge },
      ...(primaryHost && { primaryHost }),
      ...(lastNumber !== undefined && { last: lastNumber }),
      leave: (request) => {
        this.#askedAt = performance.now()
        send(leaveMessage(this.#agent, request))
      },
      connect: (connection) => {
        this.#askedAt = performance.now()
        this.#isUpHeard = false
        const connects = () => {
          if (this.#isClosed) return
          // `mqtt out` was deployed anew meanwhile, and has connected by itself: it would refuse.
          if (this.#isUpHeard) this.edge.again()
          else send(connectMessage(this.#agent, connection))
        }
        // A number that cannot be written is reported by the file.
        last.set({ connection: connection.number }).then(connects, connects)
      },
      publish: (topic, payload) => send(sparkplugMessage(topic, payload)),
    })
  }

  static async open(parts: LinkParts): Promise<EdgeLink> {
    return new EdgeLink(parts, await openValue({ ...parts.file, schema: LastConnection, initial: {} }))
  }

  /** @returns whether the message tells of the connection */
  hear(msg: NodeMessage): boolean {
    const news = linkNewsIn(this.#agent, msg)
    switch (news?.kind) {
      case 'left':
        this.edge.left(news.number)
        break
      case 'connected':
        this.edge.connected(news.number)
        this.#expectNews('status', () => this.#isUpHeard)
        break
      case 'up':
        this.#isUpHeard = true
        this.edge.up()
        if (this.edge.phase === 'connecting')
          this.#expectNews('complete', () => this.edge.phase !== 'connecting')
        break
      case 'down':
        this.edge.disconnected()
    }
    return news !== undefined
  }

  /** Asks again for what takes too long. */
  look(): void {
    const { phase } = this.edge
    const waited = performance.now() - this.#askedAt
    if ((phase === 'leaving' || phase === 'connecting') && waited > askAgainAfter[phase]) this.edge.again()
  }

  /** @param isRemoved whether the connection ends, too */
  async close(isRemoved: boolean): Promise<void> {
    this.#isClosed = true
    if (isRemoved) this.#parts.send(leaveMessage(this.#agent, 0))
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#last.close()
  }

  /** Says which node is missing in the flow, if it has told nothing in time. */
  #expectNews(node: 'status' | 'complete', isThere: () => boolean): void {
    const timer = startTimeout(() => {
      this.#timers.delete(timer)
      if (!isThere()) this.#parts.tell(asSentence(invalidInput('cell-sparkplug-node', { node })))
    }, newsWithin)
    this.#timers.add(timer)
  }
}
