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

  /** The next one is published soon, whatever it says. */
  hurry(): void {
    this.#said = ''
  }

  /**
   * Whether to publish now; if so, it is taken for published.
   * @param says what matters of the state, as text: without what changes all the time
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
