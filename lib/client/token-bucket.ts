/**
 * Limits repetitions over all calls of a client, so that a faulty device does not get several times the usual load: a
 * burst, then so many per second.
 */
export class TokenBucket {
  private tokens: number
  private filledAt: number

  constructor(
    private readonly burst: number,
    private readonly perSecond: number,
    /** Milliseconds of a monotonic clock. */
    private readonly now: () => number,
  ) {
    this.tokens = burst
    this.filledAt = now()
  }

  /** Takes a token; returns false if there is none. */
  take(): boolean {
    const now = this.now()
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.filledAt) / 1000) * this.perSecond)
    this.filledAt = now
    if (this.tokens < 1) return false
    this.tokens--
    return true
  }
}
