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
   * `now`: what is written from now on. `last`: the last entries first. `kept`: from where it stopped, or from now on
   * where nothing is kept. @default 'now'
   */
  start?: 'now' | 'last' | 'kept'
  /** Entries of each log to begin with, for `last`. @default 100 */
  last?: number
  /** Keeps the position over a restart; used with the start `kept`. */
  positions?: Positions
  filter?: LogFilter
  /** Language of error sentences. @default 'en-US' */
  language?: string
  rate?: Rate
  /** Most entries to hand on at a time. @default 1 */
  batch?: number
  /** Longest answer to ask for, entries. @default 10000 */
  most?: number
  pace?: PaceOptions
  /** Waits so many milliseconds, or less where the signal ends it; never rejects. @default a timer */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds of a monotonic clock. @default performance.now */
  now?: () => number
}

/** What a follower calls, one after the other. The position moves when `onEntries` has resolved. */
export interface FollowHandlers {
  /** New entries of one log, oldest first, no more than `batch`. Where it rejects, they are handed on again. */
  onEntries: (lines: readonly LogLine[]) => Promise<void> | void
  /** From here on, it cannot be shown that nothing is missing. Comes before the entries behind the gap. */
  onGap: (gap: LogGap) => Promise<void> | void
  /** A period of the rate limit is over in which entries were kept back. */
  onHeldBack?: (held: HeldBack) => Promise<void> | void
  /** What it does has changed. Must not throw. */
  onState?: (state: FollowState) => void
  /** A setting does not do its work any more. Must not throw. */
  onProblem?: (error: VisionError) => void
}

export interface LogGap {
  log: string
  reason: GapReason
  /** Time of the last entry before the gap and of the first one behind it, where there is one: device's clock, seconds. */
  after?: number
  before?: number
}

/** `catchingUp`: there is more than could be read at once. `missing`: the device does not have the log (now). */
export type FollowState =
  { doing: 'following' | 'catchingUp' | 'missing' } | { doing: 'failing'; error: unknown }

export interface Follower {
  /** Ends a look that is under way; entries that are being handed on are finished. Resolves when nothing is left. */
  close: () => Promise<void>
}
