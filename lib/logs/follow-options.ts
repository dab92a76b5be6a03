import { createContext, Script } from 'node:vm'
import { errorsOf, type VisionError } from '../client/vision-error'
import type { LogEntry } from '../contract'
import { RetrySchedule } from '../kernel/connection'
import { sentencesIn } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'
import type { Positions } from './positions'
import type { GapReason, LogSource } from './read-new'

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

/** Levels in order of severity, lowest first. */
export const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const
export type LogLevel = (typeof logLevels)[number]

export interface LogFilter {
  /** Only entries of this level or above. Levels with other names pass. @default 'DEBUG' */
  level?: LogLevel
  /** Comma-separated names; `*` stands for any characters, case is ignored. @default '' is all */
  component?: string
  /** Text that the message must contain, ignoring case. @default '' is any message */
  text?: string
  /** Whether `text` is a regular expression. @default false */
  isPattern?: boolean
}

/** Selects the entries that pass. */
export type Passing = (entries: readonly LogEntry[]) => boolean[]

const synonyms: Partial<Record<string, LogLevel>> = {
  TRACE: 'DEBUG',
  NOTICE: 'INFO',
  WARNING: 'WARN',
  ERR: 'ERROR',
  CRITICAL: 'FATAL',
}

/**
 * Prepares a filter.
 * @param tooSlow called once if the regular expression takes so long that it is no longer used; from then on every text
 * passes
 * @throws VisionError `INVALID_INPUT` for an invalid regular expression
 */
export function logFilter(
  { level = 'DEBUG', component = '', text = '', isPattern = false }: LogFilter,
  language: string | undefined,
  tooSlow: (error: VisionError) => void,
): Passing {
  const least = logLevels.indexOf(level)
  const components = component
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .map(wildcard)
  const texts = textFilter(text, isPattern, language, tooSlow)
  const isOf = (entry: LogEntry) =>
    rank(entry.level) >= least &&
    (components.length === 0 || components.some((isNamed) => isNamed(entry.component)))

  return (entries) => {
    const passing = entries.map(isOf)
    if (text === '') return passing
    const asked = entries.filter((_, index) => passing[index])
    const fits = texts(asked.map(({ message }) => message)).values()
    return passing.map((isPassing) => isPassing && fits.next().value !== false)
  }
}

/** A level with another name ranks highest. */
function rank(level: string): number {
  const name = level.toUpperCase()
  const known = logLevels.indexOf((synonyms[name] ?? name) as LogLevel)
  return known < 0 ? logLevels.length : known
}

function textFilter(
  text: string,
  isPattern: boolean,
  language: string | undefined,
  tooSlow: (error: VisionError) => void,
): (texts: readonly string[]) => boolean[] {
  if (!isPattern) {
    const part = text.toLowerCase()
    return (texts) => texts.map((message) => message.toLowerCase().includes(part))
  }
  const failed = (key: 'log-pattern' | 'log-pattern-slow', detail?: string) =>
    logsError(
      { code: 'INVALID_INPUT', key, values: { text }, ...(detail && { cause: { detail } }) },
      { language },
    )
  let pattern: RegExp
  try {
    pattern = new RegExp(text, 'i')
  } catch (error) {
    throw failed('log-pattern', (error as Error).message)
  }
  return timedPattern(pattern, () => tooSlow(failed('log-pattern-slow')))
}

/**
 * Milliseconds for one text, and for all texts of one call; even a busy computer reaches neither with ordinary
 * patterns.
 */
const longest = { text: 100, call: 500 }

/** Continues where it was interrupted: each text is tested once. */
const script = new Script(
  'for (; work.next < work.texts.length; work.next++) work.fits[work.next] = work.pattern.test(work.texts[work.next])',
)

/**
 * Tests texts against a user's regular expression. One that takes too long for some text (as `(a+)+$` does) is
 * interrupted and not used again: from that text on, everything matches.
 * @param tooSlow called when that happens
 */
function timedPattern(pattern: RegExp, tooSlow: () => void): (texts: readonly string[]) => boolean[] {
  const work = { pattern, texts: [] as readonly string[], fits: [] as boolean[], next: 0 }
  const context = createContext({ work })
  let isOff = false

  return (texts) => {
    if (isOff || texts.length === 0) return texts.map(() => true)
    Object.assign(work, { texts, fits: [], next: 0 })
    const end = performance.now() + longest.call
    for (let tried = -1; work.next < texts.length;) {
      try {
        script.runInContext(context, { timeout: longest.text })
      } catch {
        // Tries again, with the whole time for this text alone.
        if (tried < work.next && performance.now() < end) tried = work.next
        else {
          isOff = true
          tooSlow()
          break
        }
      }
    }
    return texts.map((_, index) => work.fits[index] ?? true)
  }
}

/** A test for names in which `*` stands for any characters, ignoring case. Linear in the length of the name. */
export function wildcard(pattern: string): (name: string) => boolean {
  const [first = '', ...parts] = pattern.toLowerCase().split('*')
  const last = parts.pop()
  if (last === undefined) return (name) => name.toLowerCase() === first
  return (given) => {
    const name = given.toLowerCase()
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false
    const end = name.length - last.length
    let place = first.length
    for (const part of parts) {
      const found = name.indexOf(part, place)
      place = found + part.length
      if (found < 0 || place > end) return false
    }
    return true
  }
}

export interface PaceOptions {
  /** Shortest pause between two reads, milliseconds: while there are new entries. @default 500 */
  shortest?: number
  /** Longest pause, milliseconds: while there are none, or the device does not answer. @default 5000 */
  longest?: number
  /** Source of the jitter, from 0 up to but not including 1. @default Math.random */
  random?: () => number
}

/** Outcome of a read: it brought entries, brought none or failed, or there is more to read than was requested. */
export type ReadOutcome = 'behind' | 'entries' | 'none' | 'failed'

const slower = 1.5

/**
 * The pause before the next read, milliseconds: none while there is more to fetch, short after entries, growing while
 * there are none; random after failures, so that many followers do not return at the same moment.
 * @param atLeast milliseconds that the device asked to wait
 */
export function pacer({ shortest = 500, longest = 5000, random = Math.random }: PaceOptions) {
  let pause = shortest
  const failures = new RetrySchedule({ first: 2 * shortest, longest, shortest, random })
  return (went: ReadOutcome, atLeast = 0): number => {
    if (went === 'failed') return failures.next(atLeast)
    failures.reset()
    if (went === 'behind') return 0
    pause = went === 'entries' ? shortest : Math.min(Math.max(longest, shortest), pause * slower)
    return pause
  }
}

export interface Rate {
  /** Entries that may pass in each period. */
  entries: number
  /** Length of a period, seconds. */
  seconds: number
}

/** Entries that a rate limit has held back since the last report. */
export interface HeldBack {
  entries: number
  /** Counts by level and by log. */
  levels: Record<string, number>
  logs: Record<string, number>
}

/** Lets a number of entries pass in each period and counts the others. A period starts with its first entry. */
export class RateLimit {
  readonly #rate: Rate | undefined
  readonly #now: () => number
  #endsAt = -Infinity
  #passed = 0
  #held: HeldBack | undefined
  /** End of the period in which the first held-back entry fell. */
  #reportAt = Infinity

  /** @param now milliseconds of a monotonic clock */
  constructor(rate: Rate | undefined, now: () => number) {
    this.#rate = rate
    this.#now = now
  }

  /** Whether the entry may pass; counts it if not. */
  take({ level, log }: LogLine): boolean {
    if (!this.#rate) return true
    if (this.#now() >= this.#endsAt) {
      this.#endsAt = this.#now() + 1000 * this.#rate.seconds
      this.#passed = 0
    }
    if (this.#passed < this.#rate.entries) {
      this.#passed++
      return true
    }
    if (!this.#held) this.#reportAt = this.#endsAt
    const held = (this.#held ??= { entries: 0, levels: {}, logs: {} })
    held.entries++
    held.levels[level] = (held.levels[level] ?? 0) + 1
    held.logs[log] = (held.logs[log] ?? 0) + 1
    return false
  }

  /** Reports what was held back, once the period is over. */
  report(): HeldBack | undefined {
    if (this.wait > 0) return undefined
    const held = this.#held
    this.#held = undefined
    return held
  }

  /** Milliseconds until there is a report; infinite if there will be none. */
  get wait(): number {
    return this.#held ? Math.max(0, this.#reportAt - this.#now()) : Infinity
  }
}

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

export const logsError = errorsOf(sentencesIn<typeof en>(__dirname))
