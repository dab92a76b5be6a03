/** Milliseconds between two states, at least. */
const gap = 1000

/** When the retained state of a cell is published: soon after a change, and regularly. */
export class StatePace {
  readonly #every: number
  #last = Number.NEGATIVE_INFINITY
  #said = ''

  /** @param every milliseconds between two states, at most */
  constructor(every: number) {
    this.#every = every
  }

  /** The next state is published soon, changed or not. */
  hurry(): void {
    this.#said = ''
  }

  /**
   * Whether to publish now; if so, the state counts as published.
   * @param says the state as text, without what changes all the time
   * @param now milliseconds of a monotonic clock
   */
  isDue(says: string, now: number): boolean {
    const age = now - this.#last
    if (age < gap || (says === this.#said && age < this.#every)) return false
    this.#said = says
    this.#last = now
    return true
  }
}

/** Milliseconds between two echoes, and of one round trip, at most. */
const [longestBeat, longestWay] = [10_000, 5000]

/**
 * Whether the broker is there: a cell publishes to itself, and what comes back is the evidence. A broker that stops, or a
 * subscription that is missing, shows within the heartbeat of the cell.
 */
export class BrokerEcho {
  readonly #boot: string
  readonly #beat: number
  #sentAt = Number.NEGATIVE_INFINITY
  #provenAt = Number.NEGATIVE_INFINITY

  /** @param every milliseconds of the heartbeat */
  constructor(boot: string, every: number) {
    this.#boot = boot
    this.#beat = Math.min(longestBeat, every / 2)
  }

  /** @returns what to publish now @param now milliseconds of a monotonic clock */
  due(now: number): { boot: string } | undefined {
    if (now - this.#sentAt < this.#beat) return undefined
    this.#sentAt = now
    return { boot: this.#boot }
  }

  /** The next echo is due at once. */
  hurry(): void {
    this.#sentAt = Number.NEGATIVE_INFINITY
  }

  /** @returns whether the message is an echo, of this start or of another; a birth message is none */
  receive(payload: unknown, now: number): boolean {
    const boot = bootIn(payload)
    if (boot === this.#boot) this.#provenAt = now
    return boot !== undefined
  }

  isThere(now: number): boolean {
    return now - this.#provenAt <= this.#beat + Math.min(longestWay, this.#beat)
  }
}

function bootIn(payload: unknown): string | undefined {
  try {
    const value: unknown =
      typeof payload === 'string' || payload instanceof Uint8Array
        ? payload.length <= 200 && JSON.parse(Buffer.from(payload as Uint8Array).toString())
        : payload
    const { boot } = Object(value) as { boot?: unknown }
    return typeof boot === 'string' ? boot : undefined
  } catch {
    return undefined
  }
}
