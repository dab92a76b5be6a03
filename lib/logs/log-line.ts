import type { LogEntry } from '../contract'

/** An entry as it is handed on. */
export interface LogLine extends LogEntry {
  /** Name of the log. */
  log: string
  /** `timestamp` as ISO 8601 in UTC, by the device's clock; empty where it is no time. */
  time: string
  /** It may have been handed on before: this program was ended in the middle of that. */
  repeated?: true
}

export function logLine(log: string, { component, level, message, timestamp }: LogEntry): LogLine {
  const date = new Date(timestamp * 1000)
  const time = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  return { log, time, level, component, message, timestamp }
}
