import { EventEmitter } from 'node:events'
import type { NodeAPI } from 'node-red'
import { type CodeTable, type Failure, codeOf as plcCodeOf } from '../../lib/plc/codes'
import type { HandshakeEvent } from '../../lib/plc/handshake'
import { startTimeout } from '../../lib/kernel/timers'
import { sentencesOf } from '../sentences'
import { detailOf } from '../shared/node-error'
import type { LinkState } from '../shared/status'
import { type CaughtError, newToken, tokensOf } from './handshake-of'

/** An error that a node reported for a message of a cycle, and that no Catch node receives. */
export interface FlowFailure {
  error: unknown
  node: { id: string; type: string; name?: string }
}

/** An open cycle: the nodes that have its messages, and the callback for errors. */
interface WatchedCycle {
  /** Ids of the nodes that have received a message of this cycle and not completed it. */
  at: Set<string>
  /** How often each node has received a message of this cycle, and completed one with an error. */
  received: Map<string, number>
  errors: Map<string, number>
  failed: (failure: FlowFailure) => void
}

/** A log entry of a node, as Node-RED passes it to a log handler. */
interface LogEntry {
  level: number
  id?: string
  type?: string
  name?: string
  msg: unknown
}

/** The parts of the hooks' events that are used here. */
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
 * Watches the messages of open cycles in other nodes. Node-RED logs an error only where no Catch takes
 * it, right after its hook onComplete: what is logged is what nobody handles. A node that never completes a message
 * (handlers with one argument) is known by having received it.
 */
class FlowErrorWatch {
  readonly #RED: NodeAPI
  readonly #cycles = new Map<string, WatchedCycle>()
  readonly #log = new EventEmitter()
  #members = 0
  /** The error of a message that a node has just completed with, until Node-RED has logged or caught it. */
  #completed: { node: string; cycle: WatchedCycle; error: unknown } | undefined

  constructor(RED: NodeAPI) {
    this.#RED = RED
    this.#log.on('log', (entry: LogEntry) => this.#logged(entry))
  }

  /** @returns ends the watch over this cycle */
  watch(token: string, failed: WatchedCycle['failed']): () => void {
    this.#cycles.set(token, { at: new Set(), received: new Map(), errors: new Map(), failed })
    return () => void this.#cycles.delete(token)
  }

  /**
   * Whether the node of an error that a Catch took was tried again since, with no further error.
   * @param count of its errors as Node-RED has it, which function nodes lose
   */
  wasTriedAgain(token: string, { id, count }: { id: string; count: number }): boolean {
    const { received, errors } = this.#cycles.get(token) ?? {}
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
      const cycle = this.#cycleOf(msg)
      if (!cycle) return
      cycle.at.add(destination.id)
      countOneMore(cycle.received, destination.id)
    })
    hooks.add(`onComplete.${label}`, ({ msg, error, node }: CompleteHook) => {
      const cycle = this.#cycleOf(msg)
      if (!cycle) return
      if (!error) {
        cycle.at.delete(node.id)
        return
      }
      countOneMore(cycle.errors, node.id)
      const completed = (this.#completed = { node: node.id, cycle, error })
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

  #cycleOf(msg: unknown): WatchedCycle | undefined {
    return tokensOf(msg)
      .map((token) => this.#cycles.get(token))
      .find((cycle) => cycle !== undefined)
  }

  #logged({ level, id, type = '', name, msg }: LogEntry): void {
    if (level !== this.#RED.log.ERROR || id === undefined) return
    const completed = this.#completed?.node === id ? this.#completed : undefined
    const cycle = completed?.cycle ?? this.#cycleAt(id)
    const error = completed?.error ?? logged(msg)
    cycle?.failed({ error, node: { id, type, ...(name && { name }) } })
  }

  /** The cycle that an error of a node belongs to; undefined where it might be one of several. */
  #cycleAt(node: string): WatchedCycle | undefined {
    const there = [...this.#cycles.values()].filter(({ at }) => at.has(node))
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

const watches = new WeakMap<object, FlowErrorWatch>()

/** The one watch of this Node-RED: hooks are process-wide. */
export function watchFlowErrors(RED: NodeAPI): FlowErrorWatch {
  // Each file of nodes gets an API object of its own; the events are the same.
  const watch = watches.get(RED.events) ?? new FlowErrorWatch(RED)
  watches.set(RED.events, watch)
  return watch
}

interface OpenCycle {
  failed: (failure: FlowFailure) => void
  end: () => void
}

/** The cycles of a handshake that are in the flow, and what goes wrong there. */
export class OpenCycles {
  readonly #errors: FlowErrorWatch
  readonly #leave: () => void
  readonly #cycles = new Map<string, OpenCycle>()

  constructor(RED: NodeAPI) {
    this.#errors = watchFlowErrors(RED)
    this.#leave = this.#errors.join()
  }

  /** @param failed is told of an error that no Catch takes @returns ends the watch */
  watch(token: string, failed: (failure: FlowFailure) => void): () => void {
    this.end(token)
    const cycle: OpenCycle = { failed, end: this.#errors.watch(token, (failure) => cycle.failed(failure)) }
    this.#cycles.set(token, cycle)
    return () => this.end(token)
  }

  /** The PLC has been answered: the next error says no more than that the flow has ended the cycle. */
  abandon(token: string, settled: () => void): void {
    const cycle = this.#cycles.get(token)
    if (!cycle) return
    cycle.failed = () => {
      this.end(token)
      settled()
    }
  }

  end(token: string): void {
    this.#cycles.get(token)?.end()
    this.#cycles.delete(token)
  }

  /**
   * What an error means that a Catch took and whose message came to the result node; undefined where the node has been
   * tried again since, with success.
   */
  failureIn(
    token: string,
    caught: CaughtError,
    codes: CodeTable,
  ): { code: number; reason: string } | undefined {
    if (this.#errors.wasTriedAgain(token, caught)) return undefined
    return { code: plcCodeOf(failureOf(caught.error), codes), reason: detailOf(caught.error) }
  }

  close(): void {
    for (const token of [...this.#cycles.keys()]) this.end(token)
    this.#leave()
  }
}

/** What an error of any node says about itself, as far as a code for the PLC follows from it. */
export function failureOf(error: unknown): Failure {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  const { returnCode } = Object(cause) as { returnCode?: unknown }
  const { value = returnCode } = Object(returnCode) as { value?: unknown }
  return {
    // A node that a deploy has closed in the middle: nobody knows how far the device got.
    ...(typeof code === 'string' && { code: code === 'ABORTED' ? 'INTERRUPTED' : code }),
    ...(typeof value === 'number' && { returnCode: value }),
  }
}

const { say } = sentencesOf('plc')

interface Options {
  codes: CodeTable
  /** Milliseconds in which the flow prepares the device. */
  within: number
  hear: (event: HandshakeEvent) => void
  /** Sends the message that prepares the device. @returns false where no node receives it */
  send: (token: string) => boolean
  watch: (token: string, failed: (failure: FlowFailure) => void) => () => void
  warn: (text: string) => void
}

/** Milliseconds from a failed preparation to the next. */
const pause = 1000

/**
 * Tells the cell when the device takes triggers: it can be reached, and the flow has prepared it since. A device that has
 * restarted has forgotten its mode.
 */
export class Preparation {
  readonly #options: Options
  #isReachable = false
  #token: string | undefined
  #unwatch: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #warned = ''

  constructor(options: Options) {
    this.#options = options
  }

  /** The state of the device; a handshake without a device is always ready. */
  linked(state: LinkState): void {
    const { codes, hear } = this.#options
    const readiness = deviceReadiness(state, codes)
    const wasReachable = this.#isReachable
    this.#isReachable = readiness.type === 'device' && readiness.ready
    if (this.#isReachable) {
      if (!wasReachable) this.#begin(codes.STARTING)
      return
    }
    this.close()
    hear(readiness)
  }

  /** A cycle failed: the device may have forgotten what it was told. */
  again(): void {
    if (this.#isReachable && this.#token === undefined) this.#begin(this.#options.codes.STARTING)
  }

  /** @param code 0 where the device is prepared @returns whether this message prepared it */
  ended(token: string, code: number, reason = ''): boolean {
    if (token !== this.#token) return false
    const { codes, hear, warn } = this.#options
    this.close()
    if (code === 0 || code === codes.DONE) {
      this.#warned = ''
      hear({ type: 'device', ready: true })
      return true
    }
    hear({ type: 'device', ready: false, code, reason: 'notSetUp' })
    const text = say('plc-not-prepared', { code, reason })
    // A fault that persists is reported once.
    if (text !== this.#warned) warn(text)
    this.#warned = text
    this.#timer = startTimeout(() => this.#begin(code), pause)
    return true
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#unwatch?.()
    this.#unwatch = undefined
    this.#token = undefined
  }

  /** @param code for triggers that come meanwhile */
  #begin(code: number): void {
    const { codes, within, hear, send, watch } = this.#options
    this.close()
    const token = (this.#token = newToken())
    this.#unwatch = watch(token, ({ error }) =>
      this.ended(token, plcCodeOf(failureOf(error), codes), detailOf(error)),
    )
    this.#timer = startTimeout(() => this.ended(token, codes.NO_ANSWER, say('plc-never-prepared')), within)
    hear({ type: 'device', ready: false, code, reason: 'notSetUp' })
    if (!send(token)) this.ended(token, codes.DONE)
  }
}

/** What a state of the device means for triggers. */
function deviceReadiness(state: LinkState, codes: CodeTable): HandshakeEvent {
  if (state === 'ready') return { type: 'device', ready: true }
  if (state === 'starting' || state === 'connecting' || state === 'askedToWait')
    return { type: 'device', ready: false, code: codes.STARTING, reason: 'starting' }
  if (state === 'unreachable')
    return { type: 'device', ready: false, code: codes.UNREACHABLE, reason: 'unreachable' }
  return { type: 'device', ready: false, code: codes.NOT_ALLOWED, reason: 'notSetUp' }
}
