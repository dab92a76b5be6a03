/**
 * Bounds repetitions over all calls of a client, so that a device with a fault is not queried several times as often as
 * one that is well: a burst, and then so many per second.
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

  /** Takes a token; false when there is none. */
  take(): boolean {
    const now = this.now()
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.filledAt) / 1000) * this.perSecond)
    this.filledAt = now
    if (this.tokens < 1) return false
    this.tokens--
    return true
  }
}
