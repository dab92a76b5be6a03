/** Durations that are remembered: of the last cycles. */
const remembered = 1000

/** Upper ends of the bars in milliseconds; longer ones are in a last bar. */
export const durationSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const

/** The last durations in a few numbers, milliseconds. */
export interface DurationSummary {
  /** At most the last 1000. */
  count: number
  p50: number
  p99: number
  most: number
  /** How many are within each of `durationSteps`, and above the one before; the last: above all of them. */
  bars: number[]
}

/** Durations of the last cycles. Adding one costs the same however many there are. */
export class Durations {
  readonly #ring = new Float64Array(remembered)
  #added = 0

  add(milliseconds: number): void {
    this.#ring[this.#added % remembered] = milliseconds
    this.#added++
  }

  /** Undefined before the first. */
  get summary(): DurationSummary | undefined {
    const sorted = this.#ring.slice(0, Math.min(this.#added, remembered)).sort()
    const count = sorted.length
    if (count === 0) return undefined
    // The least value that so many of all are not above.
    const quantile = (part: number) => sorted[Math.ceil(count * part) - 1] ?? 0
    const bars = Array.from({ length: durationSteps.length + 1 }, () => 0)
    for (const each of sorted) {
      const step = durationSteps.findIndex((most) => each <= most)
      const bar = step < 0 ? durationSteps.length : step
      bars[bar] = (bars[bar] ?? 0) + 1
    }
    return { count, p50: quantile(0.5), p99: quantile(0.99), most: sorted[count - 1] ?? 0, bars }
  }
}
