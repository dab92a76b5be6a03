/** Counts of values by upper bounds. Observing is a short search, without memory. */
export class Histogram {
  private readonly counts: Float64Array
  private sum = 0
  private readonly prefixes: readonly string[]

  /** @param labels as the text format writes them, without braces */
  constructor(
    private readonly name: string,
    private readonly labels: string,
    private readonly bounds: readonly number[],
  ) {
    this.counts = new Float64Array(bounds.length + 1)
    const before = labels ? `${labels},` : ''
    this.prefixes = [...bounds.map(String), '+Inf'].map((bound) => `${name}_bucket{${before}le="${bound}"} `)
  }

  /** Lines in the text format. */
  static size(bounds: readonly number[]): number {
    return bounds.length + 3
  }

  observe(value: number): void {
    let index = 0
    while (index < this.bounds.length && value > (this.bounds[index] as number)) index++
    this.counts[index] = (this.counts[index] as number) + 1
    this.sum += value
  }

  *lines(): Generator<string> {
    let count = 0
    for (const [index, prefix] of this.prefixes.entries()) {
      count += this.counts[index] as number
      yield `${prefix}${count}`
    }
    yield `${this.name}_sum{${this.labels}} ${this.sum}`
    yield `${this.name}_count{${this.labels}} ${count}`
  }
}
