import type { LogEntry } from '../contract'

/** A log entry as delivered. */
export interface LogLine extends LogEntry {
  /** Name of the log. */
  log: string
  /** `timestamp` as ISO 8601 in UTC, by the device's clock; empty if it is not a valid time. */
  time: string
  /** True if it may have been delivered before, because this program was terminated while delivering it. */
  repeated?: true
}

export function logLine(log: string, { component, level, message, timestamp }: LogEntry): LogLine {
  const date = new Date(timestamp * 1000)
  const time = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  return { log, time, level, component, message, timestamp }
}
