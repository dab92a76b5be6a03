import { EventEmitter } from 'node:events'
import type { NodeAPI } from 'node-red'
import { type CodeTable, type Failure, codeOf as plcCodeOf } from '../../lib/plc/codes'
import type { HandshakeEvent } from '../../lib/plc/handshake'
import { startTimeout } from '../../lib/kernel/timers'
import { sentencesOf } from '../sentences'
import { detailOf } from '../shared/node-error'
import type { LinkState } from '../shared/status'
import { type CaughtError, newToken, tokensOf } from './handshake-of'

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
class ErrorsOnTheWay {
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

interface OpenCycle {
  failed: (failure: FailureOnTheWay) => void
  end: () => void
}

/** The cycles of a handshake that are in the flow, and what goes wrong there. */
export class OpenCycles {
  readonly #errors: ErrorsOnTheWay
  readonly #leave: () => void
  readonly #cycles = new Map<string, OpenCycle>()

  constructor(RED: NodeAPI) {
    this.#errors = errorsOnTheWay(RED)
    this.#leave = this.#errors.join()
  }

  /** @param failed is told of an error that no Catch takes @returns ends the watch */
  watch(token: string, failed: (failure: FailureOnTheWay) => void): () => void {
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
  watch: (token: string, failed: (failure: FailureOnTheWay) => void) => () => void
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
