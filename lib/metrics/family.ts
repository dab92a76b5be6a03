/** A metric, by the conventions of Prometheus: base units, `_total` for counters. */
export interface Family {
  type: 'counter' | 'gauge' | 'histogram'
  /** One sentence, for the text format. */
  help: string
  /** Names of its labels besides those of the thing that it is of. */
  labels?: readonly string[]
  /** Upper bounds of a histogram, ascending, in the unit of its name; the last one, infinity, is added. */
  buckets?: readonly number[]
}

/** Metrics by their names, in the order in which they are written. */
export type Families = Readonly<Record<string, Family>>

/** Label values by the names of the labels. */
export type Labels = Readonly<Record<string, string>>
