import { Writer } from '../../codec/streams/writer'
import { datatypes, type Metric } from './payload'

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
