import { EventEmitter } from 'node:events'
import type { NodeAPI } from 'node-red'
import { tokensOf } from './token'

/** What a node reported about a message on its way, with no Catch that takes it. */
export interface FailureOnTheWay {
  error: unknown
  node: { id: string; type: string; name?: string }
}

/** One open cycle: where its messages are, and whom to tell of an error. */
interface Way {
  /** Ids of the nodes that have received a message of this cycle and not completed it. */
  at: Set<string>
  /** How often each node has received a message of this cycle, and completed one with an error. */
  received: Map<string, number>
  errors: Map<string, number>
  failed: (failure: FailureOnTheWay) => void
}

/** What Node-RED hands to a log handler for a node. */
interface LogEntry {
  level: number
  id?: string
  type?: string
  name?: string
  msg: unknown
}

/** What the hooks tell, as far as it is needed here. */
interface ReceiveHook {
  msg: unknown
  destination: { id: string }
}
interface CompleteHook {
  msg: unknown
  error?: unknown
  node: { id: string }
}

const label = 'cellsight-plc'

/**
 * Watches the messages of open cycles on their way through other nodes. Node-RED logs an error only where no Catch takes
 * it, right after its hook onComplete: what is logged is what nobody handles. A node that never completes a message
 * (handlers with one argument) is known by having received it.
 */
export class ErrorsOnTheWay {
  readonly #RED: NodeAPI
  readonly #ways = new Map<string, Way>()
  readonly #log = new EventEmitter()
  #members = 0
  /** The error of a message that a node has just completed with, until Node-RED has logged or caught it. */
  #completed: { node: string; way: Way; error: unknown } | undefined

  constructor(RED: NodeAPI) {
    this.#RED = RED
    this.#log.on('log', (entry: LogEntry) => this.#logged(entry))
  }

  /** @returns ends the watch over this cycle */
  watch(token: string, failed: Way['failed']): () => void {
    this.#ways.set(token, { at: new Set(), received: new Map(), errors: new Map(), failed })
    return () => void this.#ways.delete(token)
  }

  /**
   * Whether the node of an error that a Catch took was tried again since, with no further error.
   * @param count of its errors as Node-RED has it, which function nodes lose
   */
  wasTriedAgain(token: string, { id, count }: { id: string; count: number }): boolean {
    const { received, errors } = this.#ways.get(token) ?? {}
    return (received?.get(id) ?? 0) > Math.max(count, errors?.get(id) ?? 0)
  }

  /**
   * Watches until the returned function has been called by all who joined. The handlers stay between cycles: Node-RED
   * would skip one where another is taken away while it logs.
   */
  join(): () => void {
    if (this.#members++ === 0) this.#begin()
    let isMember = true
    return () => {
      if (!isMember) return
      isMember = false
      if (--this.#members === 0) this.#end()
    }
  }

  #begin(): void {
    const { hooks, log } = this.#RED
    hooks.add(`onReceive.${label}`, ({ msg, destination }: ReceiveHook) => {
      const way = this.#wayOf(msg)
      if (!way) return
      way.at.add(destination.id)
      countOneMore(way.received, destination.id)
    })
    hooks.add(`onComplete.${label}`, ({ msg, error, node }: CompleteHook) => {
      const way = this.#wayOf(msg)
      if (!way) return
      if (!error) {
        way.at.delete(node.id)
        return
      }
      countOneMore(way.errors, node.id)
      const completed = (this.#completed = { node: node.id, way, error })
      queueMicrotask(() => {
        if (this.#completed === completed) this.#completed = undefined
      })
    })
    log.addHandler(this.#log)
  }

  #end(): void {
    this.#RED.hooks.remove(`*.${label}`)
    this.#RED.log.removeHandler(this.#log)
  }

  #wayOf(msg: unknown): Way | undefined {
    return tokensOf(msg)
      .map((token) => this.#ways.get(token))
      .find((way) => way !== undefined)
  }

  #logged({ level, id, type = '', name, msg }: LogEntry): void {
    if (level !== this.#RED.log.ERROR || id === undefined) return
    const completed = this.#completed?.node === id ? this.#completed : undefined
    const way = completed?.way ?? this.#wayAt(id)
    const error = completed?.error ?? logged(msg)
    way?.failed({ error, node: { id, type, ...(name && { name }) } })
  }

  /** The cycle that an error of a node belongs to; undefined where it might be one of several. */
  #wayAt(node: string): Way | undefined {
    const there = [...this.#ways.values()].filter(({ at }) => at.has(node))
    return there.length === 1 ? there[0] : undefined
  }
}

const countOneMore = (counts: Map<string, number>, id: string) =>
  void counts.set(id, (counts.get(id) ?? 0) + 1)

/** What was logged: the debug sidebar, which is told before, makes text of an error. */
function logged(msg: unknown): unknown {
  if (typeof msg !== 'string' || !msg.startsWith('{"__enc__":true')) return msg
  try {
    return (JSON.parse(msg) as { data: unknown }).data
  } catch {
    return msg
  }
}

const watches = new WeakMap<object, ErrorsOnTheWay>()

/** The one watch of this Node-RED: hooks are process-wide. */
export function errorsOnTheWay(RED: NodeAPI): ErrorsOnTheWay {
  // Each file of nodes gets an API object of its own; the events are the same.
  const watch = watches.get(RED.events) ?? new ErrorsOnTheWay(RED)
  watches.set(RED.events, watch)
  return watch
}
