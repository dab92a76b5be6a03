import { startTimeout } from '../kernel/timers'

/** Something that waits for its turn. */
export interface Waiter {
  turn: () => void
}

interface Limits {
  /** Concurrent turns. */
  concurrency: number
  /** Turns per second; 0 is unlimited. */
  pace: number
  /** How many may wait. */
  queue: number
}

/** Milliseconds. */
const timersAreLate = 10

/** Decides who may send: limits concurrency and rate, first come first served, repetitions first. */
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

  /** Grants a turn now or later; returns false if too many are already waiting. */
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

  /** Returns a turn. */
  leave(): void {
    this.taken--
    this.next()
  }

  /** Leaves the queue. */
  withdraw(waiter: Waiter): void {
    this.repeating.delete(waiter)
    this.waiting.delete(waiter)
    if (this.waiting.size === 0 && this.repeating.size === 0) this.stopTimer()
  }

  /** Grants no more turns. */
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

  /** Whether the pace allows another turn now; if not, checks again when it does. */
  private inPace(): boolean {
    const now = this.now()
    if (now < this.nextAt) {
      this.timer ??= startTimeout(() => {
        this.timer = undefined
        this.next()
      }, this.nextAt - now)
      return false
    }
    // A slightly late timer must not slow the pace down.
    this.nextAt = (now - this.nextAt < timersAreLate ? this.nextAt : now) + this.apart
    return true
  }

  private stopTimer() {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}
