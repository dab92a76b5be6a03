import { Type, type Static } from '../typebox'
import { randomUUID } from 'node:crypto'

const closed = { additionalProperties: false }

/** JSON encoding of OTLP. */
const AnyValue = Type.Union([
  Type.Object({ stringValue: Type.String() }, closed),
  Type.Object({ boolValue: Type.Boolean() }, closed),
])
const Attribute = Type.Object({ key: Type.String(), value: AnyValue }, closed)
export type Attribute = Static<typeof Attribute>

/** JSON encoding of OTLP; times are nanoseconds since 1970 as texts. */
export const LogRecord = Type.Object(
  {
    timeUnixNano: Type.Optional(Type.String()),
    observedTimeUnixNano: Type.String(),
    severityNumber: Type.Integer(),
    severityText: Type.String(),
    body: AnyValue,
    attributes: Type.Array(Attribute),
    eventName: Type.Optional(Type.String()),
  },
  closed,
)
export type LogRecord = Static<typeof LogRecord>

export interface ExportedLog {
  /** Seconds since 1970; left out if invalid. */
  timestamp?: number
  level: string
  text: string
  attributes: Readonly<Record<string, string | boolean | undefined>>
  event?: string
}

/** OpenTelemetry's numbers; 0 is an unknown level. */
const severities: Readonly<Record<string, number>> = {
  DEBUG: 5,
  INFO: 9,
  WARN: 13,
  WARNING: 13,
  ERROR: 17,
  FATAL: 21,
}

/** With a unique id, by which a collector recognizes duplicates. */
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

/** As text; undefined outside unsigned 64 bits. */
function nanoseconds(seconds: number): string | undefined {
  const microseconds = Math.round(seconds * 1e6)
  return microseconds >= 0 && microseconds < 1.8e16 ? `${BigInt(microseconds) * 1000n}` : undefined
}
