import { Cursor, Misread, skipField } from '../../codec/streams/wire'
import { mostBytes } from '../messages'
import type { ReadPayload, WrittenMetric } from './payload'

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
