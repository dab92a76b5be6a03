import { Type, type Static } from '../typebox'
import { randomUUID } from 'node:crypto'

const closed = { additionalProperties: false }

/** A value as OTLP has it in JSON. */
const AnyValue = Type.Union([
  Type.Object({ stringValue: Type.String() }, closed),
  Type.Object({ boolValue: Type.Boolean() }, closed),
])
const Attribute = Type.Object({ key: Type.String(), value: AnyValue }, closed)
export type Attribute = Static<typeof Attribute>

/** A log record as OTLP has it in JSON; times are nanoseconds since 1970 as texts. */
export const LogRecord = Type.Object(
  {
    timeUnixNano: Type.Optional(Type.String()),
    observedTimeUnixNano: Type.String(),
    severityNumber: Type.Integer(),
    severityText: Type.String(),
    body: AnyValue,
    attributes: Type.Array(Attribute),
    /** Of an event. */
    eventName: Type.Optional(Type.String()),
  },
  closed,
)
export type LogRecord = Static<typeof LogRecord>

/** A log entry to be exported. */
export interface ExportedLog {
  /** Seconds since 1970; left out if that is no valid time. */
  timestamp?: number
  level: string
  text: string
  /** Without those that have no value. */
  attributes: Readonly<Record<string, string | boolean | undefined>>
  event?: string
}

/** Numbers of OpenTelemetry; 0 is a level that it does not know. */
const severities: Readonly<Record<string, number>> = {
  DEBUG: 5,
  INFO: 9,
  WARN: 13,
  WARNING: 13,
  ERROR: 17,
  FATAL: 21,
}

/** Each record has an id of its own, by which a collector recognizes one that comes twice. */
export function logRecord(
  { timestamp, level, text, attributes, event }: ExportedLog,
  now = Date.now(),
): LogRecord {
  const time = timestamp === undefined ? undefined : nanoseconds(timestamp)
  return {
    ...(time !== undefined && { timeUnixNano: time }),
    observedTimeUnixNano: nanoseconds(now / 1000) ?? '0',
    severityNumber: severities[level] ?? 0,
    severityText: level,
    body: { stringValue: text },
    attributes: attributesOf({ ...attributes, 'log.record.uid': randomUUID() }),
    ...(event !== undefined && { eventName: event }),
  }
}

export const attributesOf = (values: ExportedLog['attributes']): Attribute[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [{ key, value: typeof value === 'boolean' ? { boolValue: value } : { stringValue: value } }],
  )

/** As text; undefined for what an unsigned number of 64 bits cannot hold. */
function nanoseconds(seconds: number): string | undefined {
  const microseconds = Math.round(seconds * 1e6)
  return microseconds >= 0 && microseconds < 1.8e16 ? `${BigInt(microseconds) * 1000n}` : undefined
}
