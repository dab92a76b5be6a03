import { Writer } from '../../codec/streams/encode'
import { Cursor, Misread, skipField } from '../../codec/streams/wire'
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

const writer = new Writer()

/** Tags of the fields: number × 8 + wire type. */
const payloadTag = { timestamp: 0x08, metric: 0x12, seq: 0x18 } as const

const metricTag = {
  name: 0x0a,
  timestamp: 0x18,
  datatype: 0x20,
  isNull: 0x38,
  properties: 0x4a,
  int: 0x50,
  long: 0x58,
  double: 0x69,
  boolean: 0x70,
  text: 0x7a,
} as const

const propertyTag = { key: 0x0a, value: 0x12, type: 0x08, boolean: 0x38, text: 0x42 } as const

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
export function writePayload({ timestamp, seq, metrics, complete = false }: PayloadToWrite): Buffer {
  writer.start()
  writer.integer(payloadTag.timestamp)
  writer.integer(timestamp)
  for (const metric of metrics) {
    writer.integer(payloadTag.metric)
    const start = writer.open()
    writeMetric(metric, timestamp, complete)
    writer.close(start)
  }
  if (seq !== undefined) {
    writer.integer(payloadTag.seq)
    writer.integer(seq)
  }
  return writer.finish()
}

function writeMetric({ name, type, value, unit, writable }: Metric, timestamp: number, complete: boolean) {
  field(metricTag.name).text(name)
  field(metricTag.timestamp).integer(timestamp)
  field(metricTag.datatype).integer(datatypes[type])
  if (value === null) field(metricTag.isNull).integer(1)
  if (complete && (unit !== undefined || writable === false)) {
    const start = field(metricTag.properties).open()
    if (unit !== undefined) property('engUnit', () => field(propertyTag.text).text(unit), datatypes.String)
    if (writable === false)
      property('readOnly', () => field(propertyTag.boolean).integer(1), datatypes.Boolean)
    writer.close(start)
  }
  if (value !== null) writeValue(type, value)
}

/** One property of a set. */
function property(key: string, value: () => void, type: number) {
  field(propertyTag.key).text(key)
  const start = field(propertyTag.value).open()
  field(propertyTag.type).integer(type)
  value()
  writer.close(start)
}

function writeValue(type: Metric['type'], value: NonNullable<Metric['value']>) {
  switch (type) {
    case 'Int32':
      // 32 bits without a sign on the wire.
      field(metricTag.int).integer(Number(value) >>> 0)
      break
    case 'Int64':
    case 'DateTime':
      field(metricTag.long).integer(Number(value))
      break
    case 'Double':
      field(metricTag.double).double(Number(value))
      break
    case 'Boolean':
      field(metricTag.boolean).integer(value ? 1 : 0)
      break
    case 'String':
      field(metricTag.text).text(String(value))
  }
}

function field(tag: number): Writer {
  writer.integer(tag)
  return writer
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
    return payloadIn(new Cursor(bytes))
  } catch (error) {
    if (error instanceof Misread) return undefined
    throw error
  }
}

function payloadIn(cursor: Cursor): ReadPayload | undefined {
  const end = cursor.bytes.length
  const payload: ReadPayload = { metrics: [] }
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    if (tag === 0x08) payload.timestamp = cursor.int64(end)
    else if (tag === 0x12) {
      if (payload.metrics.length === mostMetrics) return undefined
      payload.metrics.push(metricIn(cursor, cursor.end(end)))
    } else skipField(cursor, tag, end)
  }
  return payload
}

function metricIn(cursor: Cursor, end: number): WrittenMetric {
  const metric: WrittenMetric = { value: undefined }
  let type = 0
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1, name */:
        metric.name = cursor.text(end)
        break
      case 0x20 /* 4, data type */:
        type = cursor.int32(end)
        break
      case 0x38 /* 7, null */:
        if (cursor.bool(end)) metric.value = null
        break
      case 0x50 /* 10, 32 bits */:
        metric.value = cursor.int32(end)
        break
      case 0x58 /* 11, 64 bits */:
        metric.value = cursor.int64(end)
        break
      case 0x65 /* 12, float */: {
        const start = cursor.skip(4, end)
        metric.value = cursor.bytes.readFloatLE(start)
        break
      }
      case 0x69 /* 13, double */:
        metric.value = cursor.double(end)
        break
      case 0x70 /* 14, truth value */:
        metric.value = cursor.bool(end)
        break
      case 0x7a /* 15, text */:
        metric.value = cursor.text(end)
        break
      default:
        skipField(cursor, tag, end)
    }
  }
  const { value } = metric
  if (typeof value === 'number' && value < 0 && unsigned.includes(type)) metric.value = value + 2 ** 32
  return metric
}
