/** Number of steps needed to estimate the period, and number of steps used later. */
const [first, kept] = [8, 32]

/** The time between messages, estimated from their timestamps: the median of the steps, as most messages arrive. */
export class Period {
  private readonly steps: number[] = []
  private next = 0
  private found: number

  /** @param known seconds, if given @default estimated */
  constructor(private readonly known = NaN) {
    this.found = known
  }

  /** NaN until it is known. */
  get seconds(): number {
    return this.found
  }

  /** @param step seconds @returns the steps that can now be judged: this one, all that were waiting, or none */
  add(step: number): readonly number[] {
    this.steps[this.next] = step
    this.next = (this.next + 1) % kept
    if (!Number.isNaN(this.known)) return [step]
    const known = !Number.isNaN(this.found)
    if (this.next % first === 0) {
      const sorted = [...this.steps].sort((one, other) => one - other)
      this.found = sorted[Math.floor(sorted.length / 2)] as number
    }
    if (known) return [step]
    return Number.isNaN(this.found) ? [] : this.steps
  }
}
