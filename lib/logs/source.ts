import type { Log, LogInfo } from '../contract'

/** The operations needed to follow logs; every client has them. */
export interface LogSource {
  listLogs: (options: { signal: AbortSignal }) => Promise<LogInfo[]>
  /** The newest entries, oldest first. */
  getLog: (input: { log: string; limit: number }, options: { signal: AbortSignal }) => Promise<Log>
}
