/** Messages over which the rate is measured. */
const span = 10

/** Counts what a node receives and sends. Times are milliseconds of a clock that only goes forward. */
export class Meter {
  /** Sets received since the last look. */
  #received = 0
  #silentLooks = 0
  #sent: { at: number; skipped: number }[] = []
  #skippedSince = 0

  /** @param skipped sets that the link left out before this one */
  received(skipped: number): void {
    this.#received++
    this.#skippedSince += skipped
  }

  /** The last received set is not sent, because nothing has changed. */
  leftOut(): void {
    this.#skippedSince++
  }

  sent(at: number): void {
    this.#sent.push({ at, skipped: this.#skippedSince })
    this.#skippedSince = 0
    if (this.#sent.length > span) this.#sent.shift()
  }

  /** Looks, called regularly. @returns the number of looks one after another in which nothing had arrived */
  look(): number {
    this.#silentLooks = this.#received > 0 ? 0 : this.#silentLooks + 1
    this.#received = 0
    return this.#silentLooks
  }

  /** Whether anything was ever sent. */
  get hasSent(): boolean {
    return this.#sent.length > 0
  }

  /** Messages and skipped sets per second over the last messages; undefined before the second one. */
  rates(): { sent: number; skipped: number } | undefined {
    const [first] = this.#sent
    const last = this.#sent.at(-1)
    const seconds = ((last?.at ?? 0) - (first?.at ?? 0)) / 1000
    if (!(seconds > 0)) return undefined
    const skipped = this.#sent.slice(1).reduce((sum, each) => sum + each.skipped, 0)
    return { sent: (this.#sent.length - 1) / seconds, skipped: skipped / seconds }
  }
}
