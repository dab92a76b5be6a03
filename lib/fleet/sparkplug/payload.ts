/** Sparkplug B data types that we use, with their numbers. */
export const datatypes = {
  Int32: 3,
  Int64: 4,
  Double: 10,
  Boolean: 11,
  String: 12,
  DateTime: 13,
} as const
export type Datatype = keyof typeof datatypes

/** A value of a metric; null: not known. `DateTime` and `Int64` are whole numbers, a time is in milliseconds since 1970. */
export type MetricValue = number | boolean | string | null

/** A metric that we publish. */
export interface Metric {
  name: string
  type: Datatype
  value: MetricValue
  /** `°C`, `mm`. */
  unit?: string
  /** Whether a command may write it. */
  writable?: boolean
}

/** A metric as another program has written it: without a type, its value is what the field holds. */
export interface WrittenMetric {
  name?: string
  value: MetricValue | bigint | undefined
}

/** What a message of another program says. */
export interface ReadPayload {
  /** Milliseconds since 1970, by the clock of who sent it. */
  timestamp?: number | bigint
  metrics: WrittenMetric[]
}
