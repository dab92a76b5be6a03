import type { LogLine } from './log-line'

export interface Rate {
  /** Entries that are handed on within each period. */
  entries: number
  /** Length of a period, seconds. */
  seconds: number
}

/** What a rate limit kept back since the last such report. */
export interface HeldBack {
  entries: number
  /** How many of each level, and of each log. */
  levels: Record<string, number>
  logs: Record<string, number>
}

/** Lets so many entries of each period pass and counts the others. A period begins with its first entry. */
export class RateLimit {
  readonly #rate: Rate | undefined
  readonly #now: () => number
  #endsAt = -Infinity
  #passed = 0
  #held: HeldBack | undefined
  /** End of the period in which the first of those was kept back. */
  #reportAt = Infinity

  /** @param now milliseconds of a monotonic clock */
  constructor(rate: Rate | undefined, now: () => number) {
    this.#rate = rate
    this.#now = now
  }

  /** Whether the entry may pass; one that may not is counted. */
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

  /** What was kept back, once the period is over. */
  report(): HeldBack | undefined {
    if (this.wait > 0) return undefined
    const held = this.#held
    this.#held = undefined
    return held
  }

  /** Milliseconds until there is something to report; infinite where there will be nothing. */
  get wait(): number {
    return this.#held ? Math.max(0, this.#reportAt - this.#now()) : Infinity
  }
}
