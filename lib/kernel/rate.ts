/** `Throttle` for what people see of a fast source, `RateMeter` for figures, `TokenBucket` against bursts. */
import { startTimeout } from './timers'

/** Passes on the first value at once, then the newest one, at most one per period. */
export class Throttle<Value = void> {
  readonly #period: number
  readonly #pass: (value: Value) => void
  #waiting: { value: Value } | undefined
  #passedAt = -Infinity
  #timer: NodeJS.Timeout | undefined
  #skipped = 0
  #isClosed = false

  /** @param period milliseconds */
  constructor(period: number, pass: (value: Value) => void) {
    this.#period = period
    this.#pass = pass
  }

  push(value: Value): void {
    if (this.#isClosed) return
    if (this.#waiting) this.#skipped++
    this.#waiting = { value }
    if (!this.#timer) this.#next()
  }

  /** Values replaced by newer ones. */
  get skipped(): number {
    return this.#skipped
  }

  /** Drops the pending value and all later ones. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waiting = undefined
  }

  #next(): void {
    this.#timer = undefined
    const now = performance.now()
    const rest = this.#passedAt + this.#period - now
    if (rest > 0) {
      // A timer may fire up to a millisecond early.
      this.#timer = startTimeout(() => this.#next(), Math.max(1, rest))
      return
    }
    const { value } = this.#waiting as { value: Value }
    this.#waiting = undefined
    this.#passedAt = now
    this.#pass(value)
  }
}

export interface RateMeterOptions {
  /** Events kept for the measurement. */
  events: number
  /** Milliseconds over which the rate is measured. @default Infinity */
  span?: number
}

export class RateMeter {
  readonly #times: Float64Array
  readonly #span: number
  #count = 0

  constructor({ events, span = Infinity }: RateMeterOptions) {
    this.#times = new Float64Array(events)
    this.#span = span
  }

  /** @param now milliseconds of a monotonic clock */
  add(now: number): void {
    this.#times[this.#count++ % this.#times.length] = now
  }

  /** Since the start. */
  get count(): number {
    return this.#count
  }

  /** Time of the last event; -Infinity before the first. */
  get lastAt(): number {
    return this.#count === 0 ? -Infinity : this.#at(0)
  }

  /** Events per second; 0 before the second event. */
  rate(now = this.lastAt): number {
    const measured = Math.min(this.#count, this.#times.length)
    let oldest = now
    let events = 0
    while (events < measured && now - this.#at(events) <= this.#span) oldest = this.#at(events++)
    return events > 1 && this.lastAt > oldest ? ((events - 1) * 1000) / (this.lastAt - oldest) : 0
  }

  /** @param back 0 is the newest */
  #at(back: number): number {
    return this.#times[(this.#count - 1 - back) % this.#times.length] as number
  }
}

/** Permits a burst, then `perSecond`. */
export class TokenBucket {
  readonly #burst: number
  readonly #perSecond: number
  readonly #now: () => number
  #tokens: number
  #filledAt: number

  /** @param now milliseconds of a monotonic clock */
  constructor(burst: number, perSecond: number, now: () => number) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#now = now
    this.#tokens = burst
    this.#filledAt = now()
  }

  take(): boolean {
    const now = this.#now()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond)
    this.#filledAt = now
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}
