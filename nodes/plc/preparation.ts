import { codeOf as plcCodeOf, type CodeTable } from '../../lib/plc/codes'
import type { HandshakeEvent } from '../../lib/plc/handshake'
import { startTimeout } from '../../lib/timers/timers'
import { detailOf } from '../shared/node-error'
import type { LinkState } from '../shared/status'
import type { FailureOnTheWay } from './errors-on-the-way'
import { failureOf } from './failure-of'
import { newToken } from './token'
import { sentencesOf } from '../sentences'

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
