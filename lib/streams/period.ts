/** Steps that it takes to know the period, and steps that it is known from later. */
const [first, kept] = [8, 32]

/** The time between messages, found from their timestamps: the median of the steps, as most messages come. */
export class Period {
  private readonly steps: number[] = []
  private next = 0
  private found: number

  /** @param known seconds, where they are given @default it is found */
  constructor(private readonly known = NaN) {
    this.found = known
  }

  /** NaN until it is known. */
  get seconds(): number {
    return this.found
  }

  /** @param step seconds @returns the steps that can be judged now: this one, or all that waited, or none */
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
