import { startTimeout } from '../timers/timers'

/** Somebody who waits for a turn. */
export interface Waiter {
  turn: () => void
}

interface Limits {
  /** Turns taken at a time. */
  concurrency: number
  /** Turns per second; 0 is no limit. */
  pace: number
  /** How many may wait. */
  queue: number
}

/** Milliseconds. */
const timersAreLate = 10

/** Who may send now: so many at a time, so many per second, first come first served, repetitions before the rest. */
export class Turns {
  private taken = 0
  private readonly repeating = new Set<Waiter>()
  private readonly waiting = new Set<Waiter>()
  private nextAt = -Infinity
  private timer: NodeJS.Timeout | undefined
  private readonly apart: number

  constructor(
    private readonly limits: Limits,
    /** Milliseconds of a monotonic clock. */
    private readonly now: () => number,
  ) {
    this.apart = limits.pace > 0 ? 1000 / limits.pace : 0
  }

  /** Gives a turn now or later; false when too many wait already. */
  enter(waiter: Waiter, repetition = false): boolean {
    const nobodyWaits = this.waiting.size === 0 && this.repeating.size === 0
    if (nobodyWaits && this.taken < this.limits.concurrency && this.apart === 0) {
      this.taken++
      waiter.turn()
      return true
    }
    if (!repetition && this.waiting.size >= this.limits.queue && !this.mayGoNow()) return false
    ;(repetition ? this.repeating : this.waiting).add(waiter)
    this.next()
    return true
  }

  /** Gives a turn back. */
  leave(): void {
    this.taken--
    this.next()
  }

  /** Does not want a turn any more. */
  withdraw(waiter: Waiter): void {
    this.repeating.delete(waiter)
    this.waiting.delete(waiter)
    if (this.waiting.size === 0 && this.repeating.size === 0) this.stopTimer()
  }

  /** Gives no more turns to those who wait. */
  close(): void {
    this.repeating.clear()
    this.waiting.clear()
    this.stopTimer()
  }

  private mayGoNow() {
    return this.waiting.size === 0 && this.taken < this.limits.concurrency && this.now() >= this.nextAt
  }

  private next() {
    while (this.taken < this.limits.concurrency) {
      const queue = this.repeating.size ? this.repeating : this.waiting
      const [waiter] = queue
      if (!waiter) return
      if (this.apart > 0 && !this.inPace()) return
      queue.delete(waiter)
      this.taken++
      waiter.turn()
    }
  }

  /** Whether the pace allows one more now; if not, looks again when it does. */
  private inPace(): boolean {
    const now = this.now()
    if (now < this.nextAt) {
      this.timer ??= startTimeout(() => {
        this.timer = undefined
        this.next()
      }, this.nextAt - now)
      return false
    }
    // A timer that comes a little late must not slow the pace down.
    this.nextAt = (now - this.nextAt < timersAreLate ? this.nextAt : now) + this.apart
    return true
  }

  private stopTimer() {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}
