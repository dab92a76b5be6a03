/**
 * Milliseconds of reading after which everything else has its turn. A fast device sends on while we read, and new memory
 * comes slowly from the system: one set of 12 MB held all timers for 30 ms.
 */
const longest = 1.5

/** Divides what a socket reads among turns of the event loop. */
export class ReadingTurn {
  /** When this turn began to read. */
  private began: number | undefined
  private isResting = false

  /**
   * @param resume lets the socket read again
   * @param now milliseconds of a clock that never steps back
   */
  constructor(
    private readonly resume: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Uses what was read.
   * @returns whether this turn may read more; otherwise the next one resumes
   */
  take(use: () => void): boolean {
    if (this.began === undefined) {
      this.began = this.now()
      setImmediate(() => this.end())
    }
    use()
    this.isResting = this.now() - this.began > longest
    return !this.isResting
  }

  private end(): void {
    this.began = undefined
    if (this.isResting) this.resume()
    this.isResting = false
  }
}
