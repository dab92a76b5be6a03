import type { VisionError } from '../client/vision-error'
import type { LogFilter } from './filter'
import type { GapReason } from './judge'
import type { LogLine } from './log-line'
import type { PaceOptions } from './pace'
import type { Positions } from './positions'
import type { HeldBack, Rate } from './rate-limit'
import type { LogSource } from './source'

export interface FollowOptions {
  source: LogSource
  /** Name of the log to follow. @default all logs of the device */
  log?: string
  /**
   * `now`: new entries only. `last`: the last entries first. `kept`: from the saved position, or from now on if there
   * is none. @default 'now'
   */
  start?: 'now' | 'last' | 'kept'
  /** Number of existing entries of each log to start with, for `last`. @default 100 */
  last?: number
  /** Saves the position across restarts; used with the start `kept`. */
  positions?: Positions
  filter?: LogFilter
  /** Language of error sentences. @default 'en-US' */
  language?: string
  rate?: Rate
  /** Most entries per delivery. @default 1 */
  batch?: number
  /** Longest answer to request, in entries. @default 10000 */
  most?: number
  pace?: PaceOptions
  /** Waits this many milliseconds, or until the signal is aborted; never rejects. @default a timer */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds of a monotonic clock. @default performance.now */
  now?: () => number
}

/** The callbacks of a follower, called one at a time. The position moves when `onEntries` has resolved. */
export interface FollowHandlers {
  /** New entries of one log, oldest first, at most `batch`. If it rejects, they are delivered again. */
  onEntries: (lines: readonly LogLine[]) => Promise<void> | void
  /** It cannot be shown that nothing is missing here. Called before the entries after the gap. */
  onGap: (gap: LogGap) => Promise<void> | void
  /** A period of the rate limit has ended in which entries were held back. */
  onHeldBack?: (held: HeldBack) => Promise<void> | void
  /** The state of the follower has changed. Must not throw. */
  onState?: (state: FollowState) => void
  /** A setting is no longer effective. Must not throw. */
  onProblem?: (error: VisionError) => void
}

export interface LogGap {
  log: string
  reason: GapReason
  /** Time of the last entry before the gap and of the first one after it, if any: device clock, seconds since 1970. */
  after?: number
  before?: number
}

/** `catchingUp`: there is more than could be read at once. `missing`: the device does not have the log at present. */
export type FollowState =
  | { doing: 'following' | 'catchingUp' | 'missing' }
  | { doing: 'failing'; error: unknown }

export interface Follower {
  /** Aborts a read in progress; a delivery in progress is finished. Resolves when nothing is left. */
  close: () => Promise<void>
}
