import { retryPause } from '../../kernel/connection'
import type { AgentMemory, Outgoing } from './memory'

/** Milliseconds from one time to the next; messages begin at their own times. */
const pauses = { first: 5000, longest: 300_000, random: () => 1 }
/** Messages that are sent together, so that a broker that is back is not flooded. */
const together = 20
/** Milliseconds between these. */
const gap = 250

interface Turn {
  at: number
  /** How often it was sent. */
  sent: number
}

/** When the messages that nobody has acknowledged are sent again. */
export class Repetition {
  readonly #memory: AgentMemory
  readonly #turns = new Map<string, Turn>()

  constructor(memory: AgentMemory) {
    this.#memory = memory
  }

  /** The broker is back: everything is due now. @param now milliseconds of a monotonic clock */
  hurry(now: number): void {
    for (const key of this.#memory.pending.keys()) this.#turns.set(key, { at: now, sent: 0 })
  }

  /** What is due, the oldest first; each is taken for sent. */
  due(now: number): Outgoing[] {
    const found: Outgoing[] = []
    this.#tidy()
    for (const [key, message] of this.#memory.pending) {
      const { at, sent } = this.#turns.get(key) ?? { at: now, sent: 0 }
      if (at > now) continue
      if (found.length === together) break
      found.push(message)
      this.#turns.set(key, { at: now + retryPause(sent, pauses), sent: sent + 1 })
    }
    return found
  }

  /** Milliseconds until something is due; undefined if nothing is left. */
  next(now: number): number | undefined {
    let soonest: number | undefined
    for (const key of this.#memory.pending.keys()) {
      const { at } = this.#turns.get(key) ?? { at: now }
      soonest = Math.min(soonest ?? at, at)
    }
    return soonest === undefined ? undefined : Math.max(gap, soonest - now)
  }

  #tidy(): void {
    for (const key of this.#turns.keys()) if (!this.#memory.pending.has(key)) this.#turns.delete(key)
  }
}
