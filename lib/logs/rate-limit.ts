import type { LogLine } from './log-line'

export interface Rate {
  /** Entries that may pass in each period. */
  entries: number
  /** Length of a period, seconds. */
  seconds: number
}

/** Entries that a rate limit has held back since the last report. */
export interface HeldBack {
  entries: number
  /** Counts by level and by log. */
  levels: Record<string, number>
  logs: Record<string, number>
}

/** Lets a number of entries pass in each period and counts the others. A period starts with its first entry. */
export class RateLimit {
  readonly #rate: Rate | undefined
  readonly #now: () => number
  #endsAt = -Infinity
  #passed = 0
  #held: HeldBack | undefined
  /** End of the period in which the first held-back entry fell. */
  #reportAt = Infinity

  /** @param now milliseconds of a monotonic clock */
  constructor(rate: Rate | undefined, now: () => number) {
    this.#rate = rate
    this.#now = now
  }

  /** Whether the entry may pass; counts it if not. */
  take({ level, log }: LogLine): boolean {
    if (!this.#rate) return true
    if (this.#now() >= this.#endsAt) {
      this.#endsAt = this.#now() + 1000 * this.#rate.seconds
      this.#passed = 0
    }
    if (this.#passed < this.#rate.entries) {
      this.#passed++
      return true
    }
    if (!this.#held) this.#reportAt = this.#endsAt
    const held = (this.#held ??= { entries: 0, levels: {}, logs: {} })
    held.entries++
    held.levels[level] = (held.levels[level] ?? 0) + 1
    held.logs[log] = (held.logs[log] ?? 0) + 1
    return false
  }

  /** Reports what was held back, once the period is over. */
  report(): HeldBack | undefined {
    if (this.wait > 0) return undefined
    const held = this.#held
    this.#held = undefined
    return held
  }

  /** Milliseconds until there is a report; infinite if there will be none. */
  get wait(): number {
    return this.#held ? Math.max(0, this.#reportAt - this.#now()) : Infinity
  }
}
