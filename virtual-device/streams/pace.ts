/**
 * Seconds: after a pause of the process up to this long, its messages are sent late; after a longer one they are
 * skipped.
 */
const madeUpFor = 0.5

/** Tells which moments are due. They are multiples of the period on the clock, so that delays do not add up. */
export class Pace {
  private next: number | undefined

  /** @param rate moments per second @param delay seconds after which a moment is due */
  constructor(
    private readonly rate: number,
    private readonly delay: number,
  ) {}

  /** The moments that have become due since the last call, as multiples of the period. */
  due(now: number): number[] {
    const latest = this.latest(now)
    const late = this.next === undefined ? undefined : latest - this.next
    // At the first call, and after the clock was changed.
    const first =
      late === undefined || late < -2 || late > madeUpFor * this.rate ? latest : (this.next as number)
    this.next = Math.max(first, latest + 1)
    return Array.from({ length: latest - first + 1 }, (_, index) => first + index)
  }

  /** Seconds until the next moment is due. */
  wait(now: number): number {
    return (this.next ?? this.latest(now) + 1) / this.rate + this.delay - now
  }

  private latest(now: number): number {
    // A clock with a resolution of milliseconds must not make the moment itself seem early.
    return Math.floor((now - this.delay) * this.rate + 1e-4)
  }
}
