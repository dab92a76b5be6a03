import { Counter } from './counter'
import type { Families, Labels } from './family'
import { Histogram } from './histogram'

/** Longest value of a label, in characters: some come from a device. */
const longest = 120

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

/** One value of a gauge, with the labels that tell it from others of its metric. */
export interface Sample {
  labels?: Labels
  value: number
}

/** Most series of one group. */
const mostSeries = 50

interface Source {
  lines: () => Iterable<string>
}

/**
 * The series of one thing, such as a device, which share its labels: never more than 50. What there is no room for is
 * counted all the same, but not written.
 */
export class SeriesGroup<Names extends string = string> {
  /** Whether series were left out because there was no room. */
  isFull = false
  private readonly sources = new Map<string, Map<string, Source>>()
  private room: number
  private readonly own: string

  /** @param labels of the thing */
  constructor(
    private readonly families: Families & Record<Names, unknown>,
    labels: Labels,
    most = mostSeries,
  ) {
    this.room = most
    this.own = labelText(labels)
  }

  /** The counter with these labels: the same one each time. @param most series of this metric here */
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

  /**
   * Values that are read when they are written.
   * @param key tells them from others of the metric
   * @param most series that they take
   * @returns takes them away
   */
  gauge(name: Names, key: string, most: number, read: () => readonly Sample[]): () => void {
    const lines = () =>
      read()
        .slice(0, most)
        .map((sample) => this.line(name, sample))
    const takeAway = this.keep(name, key, most, { lines })
    return takeAway
  }

  /** Whether a metric has a source of that key. */
  has(name: Names, key: string): boolean {
    return this.sources.get(name)?.has(key) ?? false
  }

  /** The lines of a metric. */
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

/** Labels as the text format writes them, without the braces: `device="cell 1",operation="getNode"`. */
const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')

function escaped(value: string): string {
  const short = value.length > longest ? `${value.slice(0, longest - 1)}…` : value
  return short.replace(/[\\"\n]/g, (character) => escapes[character] ?? character)
}
