import { protobufCodec, ProtobufError } from '../../codec/protobuf/codec'
import { mostBytes } from '../messages'

/** Sparkplug B data types that we use, with their numbers. */
const datatypes = {
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

interface WireMetric {
  name?: string
  timestamp?: number | bigint
  datatype?: number
  is_null?: boolean
  properties?: { keys?: string[]; values?: WireProperty[] }
  int_value?: number
  long_value?: number | bigint
  float_value?: number
  double_value?: number
  boolean_value?: boolean
  string_value?: string
}

interface WireProperty {
  type: number
  boolean_value?: boolean
  string_value?: string
}

interface Messages {
  Payload: { timestamp?: number | bigint; metrics?: WireMetric[]; seq?: number | bigint }
  Metric: WireMetric
  PropertySet: NonNullable<WireMetric['properties']>
  PropertyValue: WireProperty
}

/** What we use of `sparkplug_b.proto`. */
const messages = protobufCodec<Messages>({
  Payload: { 1: ['timestamp', 'int64'], 2: ['metrics', 'Metric*'], 3: ['seq', 'int64'] },
  Metric: {
    1: ['name', 'string'],
    3: ['timestamp', 'int64'],
    4: ['datatype', 'uint32'],
    7: ['is_null', 'bool'],
    9: ['properties', 'PropertySet'],
    10: ['int_value', 'uint32'],
    11: ['long_value', 'int64'],
    12: ['float_value', 'float'],
    13: ['double_value', 'double'],
    14: ['boolean_value', 'bool'],
    15: ['string_value', 'string'],
  },
  PropertySet: { 1: ['keys', 'string*'], 2: ['values', 'PropertyValue*'] },
  PropertyValue: { 1: ['type', 'uint32'], 7: ['boolean_value', 'bool'], 8: ['string_value', 'string'] },
})

/** Metrics at a time; without `seq`, a death of the node. */
export interface PayloadToWrite {
  /** Milliseconds since 1970. */
  timestamp: number
  seq?: number
  metrics: readonly Metric[]
  /** Whether properties of metrics are written: in births. */
  complete?: boolean
}

/** A Sparkplug B payload. Each metric has its data type, because decoders that are in use read none without. */
export const writePayload = ({ timestamp, seq, metrics, complete = false }: PayloadToWrite): Buffer =>
  messages.encode('Payload', {
    timestamp,
    metrics: metrics.map((metric) => metricOf(metric, timestamp, complete)),
    ...(seq !== undefined && { seq }),
  })

function metricOf(
  { name, type, value, unit, writable }: Metric,
  timestamp: number,
  complete: boolean,
): WireMetric {
  const keys: string[] = []
  const values: WireProperty[] = []
  const property = (key: string, known: WireProperty) => keys.push(key) && values.push(known)
  if (complete && unit !== undefined) property('engUnit', { type: datatypes.String, string_value: unit })
  if (complete && writable === false) property('readOnly', { type: datatypes.Boolean, boolean_value: true })
  return {
    ...{ name, timestamp, datatype: datatypes[type] },
    ...(keys.length > 0 && { properties: { keys, values } }),
    ...(value === null ? { is_null: true } : valueOf(type, value)),
  }
}

function valueOf(type: Datatype, value: number | boolean | string): Partial<WireMetric> {
  switch (type) {
    case 'Int32':
      // 32 bits without a sign on the wire.
      return { int_value: Number(value) >>> 0 }
    case 'Int64':
    case 'DateTime':
      return { long_value: Number(value) }
    case 'Double':
      return { double_value: Number(value) }
    case 'Boolean':
      return { boolean_value: Boolean(value) }
    case 'String':
      return { string_value: String(value) }
  }
}

/** Metrics of a command, at most. */
const mostMetrics = 1000

/** Numbers of `UInt8`, `UInt16` and `UInt32`. */
const unsigned: readonly number[] = [5, 6, 7]

/**
 * What a Sparkplug B message says: of each metric the name, and a value that is a number, a truth value or a text.
 * Undefined if it cannot be read.
 */
export function readPayload(bytes: Uint8Array): ReadPayload | undefined {
  if (bytes.length > mostBytes) return undefined
  try {
    const { timestamp, metrics = [] } = messages.decode('Payload', bytes)
    if (metrics.length > mostMetrics) return undefined
    return { ...(timestamp !== undefined && { timestamp }), metrics: metrics.map(writtenMetric) }
  } catch (error) {
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}

function writtenMetric({ name, datatype = 0, is_null, int_value, ...more }: WireMetric): WrittenMetric {
  const int = int_value === undefined || unsigned.includes(datatype) ? int_value : int_value | 0
  const { long_value, float_value, double_value, boolean_value, string_value } = more
  const value = int ?? long_value ?? float_value ?? double_value ?? boolean_value ?? string_value
  return { ...(name !== undefined && { name }), value: is_null ? null : value }
}
