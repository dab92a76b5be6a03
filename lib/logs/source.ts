import type { Log, LogInfo } from '../contract'

/** What is asked of a device; every client is one. */
export interface LogSource {
  listLogs: (options: { signal: AbortSignal }) => Promise<LogInfo[]>
  /** The newest entries, oldest first. */
  getLog: (input: { log: string; limit: number }, options: { signal: AbortSignal }) => Promise<Log>
}
