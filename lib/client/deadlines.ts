import { startInterval } from '../timers/timers'

/** Something with a deadline. */
export interface Expiring {
  /** Called when the deadline has passed: up to 100 ms late, never early. `now` is in milliseconds. */
  expire: (now: number) => void
  /** The slot that holds it; used by `Deadlines` only. */
  slot?: Slot
}

/** Everything that ends at about the same time. */
class Slot extends Set<Expiring> {
  constructor(readonly number: number) {
    super()
  }
}

interface Ticker {
  /** Milliseconds of a monotonic clock. */
  now: () => number
  /** Calls back repeatedly until the returned function is called. Does not keep the process alive. */
  every: (milliseconds: number, callback: () => void) => () => void
}

const systemTicker: Ticker = {
  now: () => performance.now(),
  every: (milliseconds, callback) => {
    const timer = startInterval(callback, milliseconds).unref()
    return () => clearInterval(timer)
  },
}

/** Milliseconds between two checks. A deadline fires up to two checks late, and timers are late themselves. */
const step = 25

/**
 * Coarse deadlines for any number of calls on one timer, which is cheaper than a timer each. The timer runs only while
 * there are deadlines.
 */
export class Deadlines {
  private readonly slots = new Map<number, Slot>()
  private stop: (() => void) | undefined
  private count = 0
  private passed = 0

  constructor(private readonly ticker: Ticker = systemTicker) {}

  now(): number {
    return this.ticker.now()
  }

  /** Sets or moves a deadline. `at` is in milliseconds of `now()`. */
  set(entry: Expiring, at: number): void {
    this.remove(entry)
    if (!this.stop) this.start()
    const number = Math.max(Math.ceil(at / step), this.passed + 1)
    let slot = this.slots.get(number)
    if (!slot) this.slots.set(number, (slot = new Slot(number)))
    slot.add(entry)
    entry.slot = slot
    this.count++
  }

  remove(entry: Expiring): void {
    if (!entry.slot) return
    const { slot } = entry
    slot.delete(entry)
    // Otherwise sequential calls with long deadlines would leave empty slots until their time has passed.
    if (slot.size === 0) this.slots.delete(slot.number)
    entry.slot = undefined
    this.count--
  }

  private start() {
    this.passed = Math.floor(this.now() / step)
    this.stop = this.ticker.every(step, () => this.tick())
  }

  private tick() {
    const now = this.now()
    while (this.passed < Math.floor(now / step)) {
      const due = this.slots.get(++this.passed)
      if (!due) continue
      this.slots.delete(this.passed)
      for (const entry of [...due]) {
        if (entry.slot !== due) continue
        this.remove(entry)
        entry.expire(now)
      }
    }
    if (this.count === 0) this.rest()
  }

  private rest() {
    this.slots.clear()
    this.stop?.()
    this.stop = undefined
  }
}

/** The deadlines of all clients in the process: a thousand devices share one timer. */
export const deadlines = new Deadlines()
