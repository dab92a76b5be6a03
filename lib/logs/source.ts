import type { CallOptions } from '../client/options'
import type { Log, LogInfo } from '../contract'

/** A follower repeats by itself, so its calls do not wait for a device that is not there. */
type QuickCall = Required<Pick<CallOptions, 'signal' | 'waitForDevice'>>

/** The operations needed to follow logs; every client has them. */
export interface LogSource {
  listLogs: (options: QuickCall) => Promise<LogInfo[]>
  /** The newest entries, oldest first. */
  getLog: (input: { log: string; limit: number }, options: QuickCall) => Promise<Log>
}
