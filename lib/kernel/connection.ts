/**
 * A persistent connection: opened, and opened again after each loss, until it is closed. `RetrySchedule` alone serves
 * polling.
 *
 * In: how to open one, what proves that the peer answers, the pauses. Out: the connection, its state, one notice per
 * cause.
 * - The pauses grow at random up to a maximum ("full jitter"), so that many clients do not return at the same moment.
 *   Only a connection that was proven, or lasted, resets them: a peer that accepts and closes at once is retried ever
 *   more rarely.
 * - A cause is reported once, until the connection has been stable; the report of its return counts the failures left
 *   out.
 */
import { settled } from './scope'
import { startTimeout } from './timers'

export interface RetryOptions {
  /** Milliseconds: limit of the first pause; it doubles each time. @default 200 */
  first?: number
  /** Milliseconds: limit of all pauses. @default 5000 */
  longest?: number
  /** Milliseconds: the shortest pause. @default 20 */
  shortest?: number
  /** 0 to 1. @default Math.random */
  random?: () => number
}

/**
 * Milliseconds until the next attempt: random up to a limit that doubles, up to a maximum.
 * @param failures since the last success @param atLeast milliseconds that the peer asked for
 */
export function retryPause(
  failures: number,
  { first = 200, longest = 5000, shortest = 20, random = Math.random }: RetryOptions = {},
  atLeast = 0,
): number {
  const limit = Math.min(Math.max(first, longest), first * 2 ** Math.min(failures, 30))
  return Math.max(shortest, random() * limit, atLeast)
}

export class RetrySchedule {
  /** Since the last success. */
  failures = 0
  readonly #options: RetryOptions

  constructor(options: RetryOptions = {}) {
    this.#options = options
  }

  /** @returns milliseconds until the next attempt @param atLeast milliseconds that the peer asked for */
  next(atLeast = 0): number {
    return retryPause(this.failures++, this.#options, atLeast)
  }

  reset(): void {
    this.failures = 0
  }
}

/** `open`: connected, but no proof yet that the peer answers; `up`: proven; `waiting`: pause; `closed`: for good. */
export type LinkState = 'connecting' | 'open' | 'up' | 'waiting' | 'closed'

export interface ConnectionAttempt<Failure> {
  /** Aborted when the connection is closed for good. */
  readonly signal: AbortSignal
  /** The first useful exchange. */
  proven: () => void
  ended: (failure: Failure) => void
}

/** For people: once per cause. */
export type LinkNotice<Failure> =
  /** @param again lost for the same reason soon after it was up: reported next when it has been stable */
  | { is: 'down'; failure: Failure; again: boolean }
  /** @param failures attempts and connections that failed since it was up, including those not reported */
  | { is: 'up'; failures: number }

export interface ConnectionOptions<Connection, Failure> {
  /** Its errors are passed to `failureOf`. */
  open: (attempt: ConnectionAttempt<Failure>) => Promise<Connection>
  /** Resolves when nothing of the connection is left. */
  release: (connection: Connection) => unknown
  failureOf: (error: unknown) => Failure
  /** Equal texts mean the same cause. */
  causeOf: (failure: Failure) => string
  /** What proves that the peer answers: the open connection, or a call of `proven`. @default 'open' */
  provenBy?: 'open' | 'exchange'
  /** Milliseconds after which a connection counts as stable. @default 10000 */
  stableAfter?: number
  retry?: RetryOptions
  signal?: AbortSignal
  onState?: (state: LinkState) => void
  /** Open, not necessarily proven. */
  onOpen?: (connection: Connection) => void
  onUp?: (connection: Connection) => void
  /** At each failed attempt and each lost connection. */
  onDown?: (failure: Failure) => void
  onNotice?: (notice: LinkNotice<Failure>) => void
}

interface Current<Connection> {
  connection?: Connection
  openedAt?: number
  /** Proven before `open` resolved: the first useful exchange may arrive together with what opens it. */
  isProvenEarly?: boolean
  isProven: boolean
  isOver: boolean
}

export class PersistentConnection<Connection, Failure> {
  readonly #options: ConnectionOptions<Connection, Failure>
  readonly #schedule: RetrySchedule
  readonly #stableAfter: number
  readonly #closing = new AbortController()
  readonly #ending = new Set<Promise<unknown>>()
  readonly #reported = new Set<string>() // causes reported since the connection was stable
  #failures = 0
  /** Lost again for the same reason: its return is reported once it is stable. */
  #flaps = false
  #reportedUp = false
  #current: Current<Connection> = { isProven: false, isOver: true }
  #state: LinkState = 'waiting'
  #failure: Failure | undefined
  #timer: NodeJS.Timeout | undefined
  #stable: NodeJS.Timeout | undefined
  readonly #aborted = () => void this.close()

  constructor(options: ConnectionOptions<Connection, Failure>) {
    this.#options = options
    this.#schedule = new RetrySchedule(options.retry)
    this.#stableAfter = options.stableAfter ?? 10_000
    const { signal } = options
    if (signal?.aborted) {
      this.#closing.abort()
      this.#state = 'closed'
      return
    }
    signal?.addEventListener('abort', this.#aborted, { once: true })
    this.#try()
  }

  get state(): LinkState {
    return this.#state
  }

  /** The open connection, proven or not. */
  get connection(): Connection | undefined {
    return this.#current.connection
  }

  /** Undefined before the first failure, and while connected. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  retryNow(): void {
    if (this.#state === 'waiting') this.#try()
  }

  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#options.signal?.removeEventListener('abort', this.#aborted)
      this.#closing.abort()
      clearTimeout(this.#timer)
      clearTimeout(this.#stable)
      this.#dispose(this.#current)
      this.#become('closed')
    }
    while (this.#ending.size > 0) await Promise.allSettled(this.#ending)
  }

  #try(): void {
    clearTimeout(this.#timer)
    const current: Current<Connection> = (this.#current = { isProven: false, isOver: false })
    this.#become('connecting')
    const attempt = {
      signal: this.#closing.signal,
      proven: () => this.#proven(current),
      ended: (failure: Failure) => this.#down(current, failure),
    }
    const { open, failureOf } = this.#options
    this.#track(
      (async () => open(attempt))().then(
        (connection) => this.#opened(current, connection),
        (error: unknown) => this.#down(current, failureOf(error)),
      ),
    )
  }

  #opened(current: Current<Connection>, connection: Connection): void {
    current.connection = connection
    // It may have ended, or been closed, in the meantime.
    if (current.isOver) {
      this.#dispose(current)
      return
    }
    current.openedAt = performance.now()
    this.#failure = undefined
    this.#become('open')
    if (this.#current.isOver) return
    this.#options.onOpen?.(connection)
    if (this.#options.provenBy !== 'exchange' || current.isProvenEarly) this.#proven(current)
  }

  #proven(current: Current<Connection>): void {
    const { connection, isOver, isProven } = current
    if (isOver || isProven) return
    if (connection === undefined) {
      current.isProvenEarly = true
      return
    }
    current.isProven = true
    this.#schedule.reset()
    this.#become('up')
    this.#options.onUp?.(connection)
    if (current.isOver) return
    if (!this.#reportedUp && !this.#flaps) this.#reportUp()
    this.#stable = startTimeout(() => this.#lasted(), this.#stableAfter)
    this.#stable.unref()
  }

  #lasted(): void {
    this.#reported.clear()
    this.#flaps = false
    if (!this.#reportedUp) this.#reportUp()
    this.#failures = 0
  }

  #reportUp(): void {
    this.#reportedUp = true
    this.#options.onNotice?.({ is: 'up', failures: this.#failures })
  }

  #down(current: Current<Connection>, failure: Failure): void {
    if (current.isOver) return
    clearTimeout(this.#stable)
    const { openedAt, isProven } = current
    if (openedAt !== undefined && performance.now() - openedAt >= this.#stableAfter) this.#schedule.reset()
    this.#dispose(current)
    this.#failure = failure
    this.#failures++
    this.#become('waiting')
    if (!this.#isClosed) this.#options.onDown?.(failure)
    if (this.#isClosed) return
    const cause = this.#options.causeOf(failure)
    const isNew = !this.#reported.has(cause)
    const beginsToFlap = !isNew && isProven && !this.#flaps
    if (isNew || beginsToFlap) {
      this.#reported.add(cause)
      this.#flaps ||= beginsToFlap
      this.#reportedUp = false
      this.#options.onNotice?.({ is: 'down', failure, again: beginsToFlap })
    }
    if (this.#state === 'waiting') this.#timer = startTimeout(() => this.#try(), this.#schedule.next())
  }

  #dispose(current: Current<Connection>): void {
    const { connection } = current
    current.isOver = true
    delete current.connection
    if (connection !== undefined) this.#track((async () => void (await this.#options.release(connection)))())
  }

  #track(work: Promise<unknown>): void {
    const ended = settled(work).then(() => void this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  #become(state: LinkState): void {
    if (this.#state === state) return
    this.#state = state
    this.#options.onState?.(state)
  }
}
