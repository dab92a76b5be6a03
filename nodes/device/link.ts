import { longestRest, restAfter } from '../../lib/client/error-answer'
import type { SysInfo } from '../../lib/contract'
import { hasRestarted, markedState, type MarkedState, type UptimeMark } from '../../lib/system/reboot'
import { RetrySchedule } from '../../lib/kernel/connection'
import { Scope } from '../../lib/kernel/scope'
import { startTimeout } from '../../lib/kernel/timers'
import { causeOf, codeOf } from '../shared/node-error'
import type { LinkState } from '../shared/status'

export interface LinkOptions {
  /** Reads the state of the device; rejects if it does not answer. */
  ask: (signal: AbortSignal) => Promise<SysInfo>
  /** Seconds between two checks while the device is ready. */
  interval: number
  /** @default Math.random */
  random?: () => number
  /** The state has changed; `error` is the reason why it is not ready. */
  changed: (state: LinkState, error?: Error) => void
  /** The device answers again or has restarted: what was known about it may be out of date. */
  connected: () => void
}

/** Failed checks, and ms after the start, that still count as connecting, for devices that start at the same time. */
const patience = { failures: 5, milliseconds: 5000 }

/** Shortest time in ms between two checks. */
const gap = 100
/** Milliseconds until the next check of a device that is starting: its progress is shown every half second. */
const whileStarting = 500
/** Milliseconds: the longest pause while a device does not answer. */
const longestPause = 10_000

/** Monitors a device with one request at a time, until it is closed. */
export class Link {
  state: LinkState = 'connecting'
  readonly #options: LinkOptions
  readonly #scope: Scope
  #timer: NodeJS.Timeout | undefined
  readonly #started = performance.now()
  #asked = 0
  #failures = 0
  /** The pauses while the device does not answer. */
  readonly #schedule: RetrySchedule
  /** Of the last answer. */
  #mark: UptimeMark | undefined
  /** End of the pause that the device asked for, ms. */
  #restsUntil = 0

  constructor(options: LinkOptions) {
    this.#options = options
    this.#scope = new Scope({ failed: (error) => options.changed(this.state, error as Error) })
    const { interval, random = Math.random } = options
    const longest = Math.max(longestPause, 1000 * interval)
    this.#schedule = new RetrySchedule({ shortest: gap, longest, random })
  }

  start(): void {
    this.#scope.begin(({ signal }) => this.#check(signal))
  }

  /** Called with the outcome of a call. Checks at once if it shows that the state may have changed. */
  hint(error?: unknown): void {
    if (error !== undefined) {
      if (silent.has(codeOf(error) ?? '')) this.suspect()
    } else if (this.state !== 'ready') this.#checkSoon()
  }

  /** Called when the device takes no requests. Checks at once if that is new. */
  suspect(): void {
    if (this.state === 'ready' && performance.now() >= this.#restsUntil) this.#checkSoon()
  }

  close(): void {
    this.#scope.abort()
    clearTimeout(this.#timer)
  }

  #checkSoon(): void {
    if (this.#timer && performance.now() - this.#asked > gap) this.start()
  }

  async #check(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#asked = performance.now()
    const [state, error] = await markedState(() => this.#options.ask(signal)).then(
      (answer) => this.#answered(answer),
      (problem: unknown) => this.#failed(problem),
    )
    if (signal.aborted) return
    if (state !== this.state) {
      this.state = state
      this.#options.changed(state, error)
    }
    const rest = restAfter(error)
    this.#restsUntil = performance.now() + rest
    this.#timer = startTimeout(() => this.start(), Math.max(this.#pauseAfter(state), rest))
  }

  /** Milliseconds until the next check. */
  #pauseAfter(state: LinkState): number {
    const interval = 1000 * this.#options.interval
    if (state === 'ready') return interval
    return state === 'starting' ? Math.min(whileStarting, interval) : this.#schedule.next()
  }

  #answered({ system, mark }: MarkedState): [LinkState] {
    const isNew = this.#failures > 0 || !this.#mark || hasRestarted(this.#mark, mark)
    this.#failures = 0
    this.#schedule.reset()
    this.#mark = mark
    if (isNew) this.#options.connected()
    return [system.ready ? 'ready' : 'starting']
  }

  #failed(problem: unknown): [LinkState, Error] {
    const error = problem instanceof Error ? problem : new Error(String(problem))
    const code = codeOf(problem)
    // A device that limits requests does answer; during a long pause its state is unknown.
    const asksLittle = (causeOf(problem)?.retryAfter ?? 0) <= longestRest
    if (code === 'RATE_LIMITED' && this.#mark && asksLittle) return [this.state, error]
    this.#failures++
    const state = (code && states[code]) ?? 'unreachable'
    const isEarly =
      !this.#mark &&
      this.#failures <= patience.failures &&
      performance.now() - this.#started < patience.milliseconds
    return [isEarly && state === 'unreachable' ? 'connecting' : state, error]
  }
}

/** Errors of calls that mean that nothing answered. */
const silent: ReadonlySet<string> = new Set(['UNREACHABLE', 'TIMEOUT', 'OUTCOME_UNKNOWN', 'STARTING'])

const states: Partial<Record<string, LinkState>> = {
  STARTING: 'starting',
  RATE_LIMITED: 'askedToWait',
  UNAUTHORIZED: 'loginRefused',
  FORBIDDEN: 'loginRefused',
  NOT_FOUND: 'otherDevice',
  BAD_REPLY: 'otherDevice',
  DEVICE_FAULT: 'inTrouble',
  INVALID_INPUT: 'wrongSettings',
}
