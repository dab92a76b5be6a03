/** Tokens that are remembered, to tell a late answer from a foreign one. */
const remembered = 1000

/** Cycles that have ended, and how. */
export class EndedTokens {
  readonly #ended = new Map<string, 'late' | 'second'>()

  /** @param how `late`: without an answer of the flow; `second`: with one */
  add(token: string, how: 'late' | 'second'): void {
    this.#ended.set(token, how)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > remembered && oldest !== undefined) this.#ended.delete(oldest)
  }

  /** Why a further answer to that token is dropped. */
  whyDropped(token: string): 'late' | 'second' | 'foreign' {
    return this.#ended.get(token) ?? 'foreign'
  }
}
