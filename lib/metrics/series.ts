const longest = 120 // characters of a label value: some come from a device

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

/** A value of a gauge, with the labels that distinguish it within its metric. */
export interface Sample {
  labels?: Labels
  value: number
}

const mostSeries = 50 // per group

interface Source {
  lines: () => Iterable<string>
}

/** The series of one subject, such as a device, with common labels. Beyond 50, series are counted but not written. */
export class SeriesGroup<Names extends string = string> {
  isFull = false
  private readonly sources = new Map<string, Map<string, Source>>()
  private room: number
  private readonly own: string

  /** @param labels of the subject */
  constructor(
    private readonly families: Families & Record<Names, unknown>,
    labels: Labels,
    most = mostSeries,
  ) {
    this.room = most
    this.own = labelText(labels)
  }

  /** The same counter each time. @param most series of this metric here */
  counter(name: Names, labels: Labels = {}, most = Infinity): Counter {
    const text = this.textOf(labels)
    const known = this.sources.get(name)?.get(text)
    if (known instanceof Counter) return known
    const counter = new Counter(text ? `${name}{${text}} ` : `${name} `)
    if ((this.sources.get(name)?.size ?? 0) >= most) this.isFull = true
    else this.keep(name, text, 1, counter)
    return counter
  }

  histogram(name: Names): Histogram {
    const bounds = this.families[name].buckets ?? []
    const histogram = new Histogram(name, this.own, bounds)
    this.keep(name, '', Histogram.size(bounds), histogram)
    return histogram
  }

  /** Values read when written. @param key distinguishes them within the metric @param most series @returns removes them */
  gauge(name: Names, key: string, most: number, read: () => readonly Sample[]): () => void {
    const lines = () =>
      read()
        .slice(0, most)
        .map((sample) => this.line(name, sample))
    const takeAway = this.keep(name, key, most, { lines })
    return takeAway
  }

  has(name: Names, key: string): boolean {
    return this.sources.get(name)?.has(key) ?? false
  }

  *lines(name: string): Generator<string> {
    for (const source of this.sources.get(name)?.values() ?? []) yield* source.lines()
  }

  private keep(name: string, key: string, size: number, source: Source): () => void {
    if (this.room < size) {
      this.isFull = true
      return () => undefined
    }
    this.room -= size
    const sources = this.sources.get(name) ?? new Map<string, Source>()
    this.sources.set(name, sources.set(key, source))
    return () => {
      if (sources.get(key) !== source) return
      sources.delete(key)
      this.room += size
    }
  }

  private line(name: string, { labels = {}, value }: Sample): string {
    const text = this.textOf(labels)
    return text ? `${name}{${text}} ${numberText(value)}` : `${name} ${numberText(value)}`
  }

  private textOf(labels: Labels): string {
    const more = labelText(labels)
    return this.own && more ? `${this.own},${more}` : this.own || more
  }
}

const numberText = (value: number): string =>
  value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value)

/** `device="cell 1",operation="getNode"`. */
const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')

function escaped(value: string): string {
  const short = value.length > longest ? `${value.slice(0, longest - 1)}…` : value
  return short.replace(/[\\"\n]/g, (character) => escapes[character] ?? character)
}

/** By the conventions of Prometheus: base units, `_total` for counters. */
export interface Family {
  type: 'counter' | 'gauge' | 'histogram'
  /** One sentence. */
  help: string
  /** Besides those of its subject. */
  labels?: readonly string[]
  /** Upper bounds of a histogram, ascending, in the unit of its name; infinity is added. */
  buckets?: readonly number[]
}

/** By name, in the order in which they are written. */
export type Families = Readonly<Record<string, Family>>

export type Labels = Readonly<Record<string, string>>

/** Counting is one addition; the label text is built once. */
export class Counter {
  value = 0

  /** @param prefix the line up to its value */
  constructor(private readonly prefix: string) {}

  *lines(): Generator<string> {
    yield `${this.prefix}${this.value}`
  }
}

/** Observing is a short search without allocations. */
export class Histogram {
  private readonly counts: Float64Array
  private sum = 0
  private readonly prefixes: readonly string[]

  /** @param labels without braces */
  constructor(
    private readonly name: string,
    private readonly labels: string,
    private readonly bounds: readonly number[],
  ) {
    this.counts = new Float64Array(bounds.length + 1)
    const before = labels ? `${labels},` : ''
    this.prefixes = [...bounds.map(String), '+Inf'].map((bound) => `${name}_bucket{${before}le="${bound}"} `)
  }

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

const pieceLines = 100 // written in well under a millisecond

/**
 * The groups in the text format 0.0.4 of Prometheus: all series of a metric together, below its help and type. Yields
 * short pieces, so that it can be written in slices.
 */
export function* metricsText(
  families: Families,
  groups: readonly SeriesGroup[],
): Generator<string, undefined> {
  for (const [name, family] of Object.entries(families)) {
    let lines: string[] = []
    let isBegun = false
    for (const group of groups) {
      for (const line of group.lines(name)) lines.push(line)
      if (lines.length < pieceLines) continue
      yield piece(name, family, lines, isBegun)
      isBegun = true
      lines = []
    }
    if (lines.length > 0) yield piece(name, family, lines, isBegun)
  }
  return undefined
}

const piece = (name: string, family: Family, lines: readonly string[], isBegun: boolean): string =>
  `${isBegun ? '' : headOf(name, family)}${lines.join('\n')}\n`

const headOf = (name: string, { help, type }: Family) =>
  `# HELP ${name} ${help.replace(/[\\\n]/g, (character) => (character === '\n' ? '\\n' : '\\\\'))}\n# TYPE ${name} ${type}\n`
