import { restAfter } from '../client/error-answer'
import { isVisionError } from '../client/vision-error'
import type { LogEntry, LogInfo } from '../contract'
import { pauseFor } from '../kernel/timers'
import { carefulPositions, type Positions } from './positions'
import {
  logFilter,
  type Passing,
  type Follower,
  type FollowHandlers,
  type FollowOptions,
  type FollowState,
  logLine,
  type LogLine,
  pacer,
  type ReadOutcome,
  RateLimit,
} from './follow-options'
import { lastEntries, type Reading, type NewEntries, readNew, seen, type SeenEntry } from './read-new'
import { Memory } from './memory'

const onTimer = (milliseconds: number, signal: AbortSignal) => pauseFor(milliseconds, signal)

/** Stands for all logs in the saved positions: all logs have been followed. */
const allLogs = ' all'
const emptyPosition = { tail: [], complete: true, gone: [], doubtful: [] }

/** Such an answer concerns this log only; other logs may be readable. */
const isOfOneLog = (error: unknown) =>
  isVisionError(error) &&
  ['BAD_REPLY', 'BAD_REQUEST', 'DEVICE_FAULT', 'FORBIDDEN', 'INVALID_INPUT'].includes(error.code)

/**
 * Follows one log or all logs of a device: delivers new entries in order, each one once. Reports a gap where it cannot
 * be shown that nothing is missing. Continues through all failures of the device until it is closed.
 * @throws VisionError `INVALID_INPUT` for an invalid regular expression
 */
export function followLogs(options: FollowOptions, handlers: FollowHandlers): Follower {
  const { source, log: only, start = 'now', last = 100, batch = 1, most = 10_000 } = options
  const { wait = onTimer, now = () => performance.now() } = options
  const closing = new AbortController()
  const { signal } = closing
  const isClosed = () => signal.aborted
  const passing = logFilter(options.filter ?? {}, options.language, (error) => handlers.onProblem?.(error))
  const limit = new RateLimit(options.rate, now)
  const pause = pacer(options.pace ?? {})
  const positions =
    start === 'kept' && options.positions
      ? carefulPositions(options.positions, options.language, (error) => handlers.onProblem?.(error))
      : undefined
  const followed = new Map<string, FollowedLog>()
  let hasBegun = false
  /** True if all logs were followed before: an unknown log has then been created since. */
  let knewAll = false
  let isQuiet = true

  const follow = async (name: string) => {
    const log = new FollowedLog({
      reading: { source, log: name, most, signal },
      passing,
      limit,
      batch,
      handlers,
      isNew: hasBegun || knewAll,
      ...(positions && { positions }),
    })
    await log.resume()
    followed.set(name, log)
    return log
  }

  const round = async (): Promise<ReadOutcome> => {
    // The small list of logs shows that nothing has changed, and saves larger answers.
    const listed =
      only === undefined || isQuiet ? await source.listLogs({ signal, waitForDevice: false }) : undefined
    if (!hasBegun && only === undefined) knewAll = (await positions?.load(allLogs)) !== undefined
    const names =
      only === undefined
        ? [...new Set([...(listed ?? []).map(({ name }) => name), ...followed.keys()])]
        : [only]
    let went: ReadOutcome = 'none'
    let isMissing = names.length === 0
    let failure: { error: unknown } | undefined
    for (const name of names) {
      const log = followed.get(name) ?? (await follow(name))
      const info = listed?.find((one) => one.name === name)
      const looked = await look(log, info, listed !== undefined && !info).catch((error: unknown) => {
        if (!isOfOneLog(error)) throw error
        failure ??= { error }
        log.missed()
        return 'none' as const
      })
      if (isClosed()) return went
      isMissing ||= looked === 'missing'
      if (looked === 'behind' || (looked === 'entries' && went === 'none')) went = looked
    }
    if (!hasBegun && only === undefined) await positions?.replace(allLogs, emptyPosition)
    hasBegun = true
    isQuiet = went === 'none'
    if (failure) tell({ doing: 'failing', error: failure.error })
    else tell({ doing: went === 'behind' ? 'catchingUp' : isMissing ? 'missing' : 'following' })
    return went
  }

  const look = async (log: FollowedLog, info: LogInfo | undefined, isMissing: boolean) => {
    try {
      if (isMissing) return await missing(log)
      const hasStarted = await log.begin(start === 'last' ? last : 0)
      const { entries, behind } = await log.look(info)
      return behind ? 'behind' : entries > 0 || hasStarted ? 'entries' : 'none'
    } catch (error) {
      if (isVisionError(error) && error.code === 'NOT_FOUND') return missing(log)
      throw error
    }
  }
  const missing = async (log: FollowedLog) => {
    await log.beginEmpty()
    log.missed()
    return 'missing' as const
  }

  let told = ''
  const tell = (state: FollowState) => {
    const key =
      state.doing === 'failing' ? String(isVisionError(state.error) && state.error.code) : state.doing
    if (key === told || signal.aborted) return
    told = key
    handlers.onState?.(state)
  }

  const failed = (error: unknown): number => {
    isQuiet = true
    for (const log of followed.values()) log.missed()
    tell({ doing: 'failing', error })
    return pause('failed', restAfter(error))
  }
  const report = async () => {
    const held = limit.report()
    if (held && !isClosed()) await handlers.onHeldBack?.(held)
  }
  const run = async () => {
    while (!isClosed()) {
      const rest = await report()
        .then(round)
        .then((went) => pause(went), failed)
      if (!isClosed()) await wait(Math.min(rest, limit.wait), signal)
    }
    for (const log of followed.values()) log.rest()
    await positions?.close()
  }

  const ended = run()
  return {
    close: () => {
      closing.abort()
      return ended
    },
  }
}

/** Entries remembered at the start, so that the next read can be aligned with them. */
const firstRead = 64

/** Milliseconds without a read that do not count as an interruption: a deploy takes less. */
const shortRest = 10_000

/** Most reads in a row that the list may replace. Without a size, it shows a change only by its date. */
const mostSkips = { withSize: 60, withoutSize: 6 }

interface FollowedLogOptions extends Omit<Delivery, 'log' | 'signal'> {
  reading: Reading
  /** Whether it was created after the others were followed: all its entries are new. */
  isNew: boolean
}

/** A log that is being followed: what is known of it, and how its entries are delivered. */
class FollowedLog {
  readonly #reading: Reading
  readonly #way: Delivery
  readonly #isNew: boolean
  #memory: Memory | undefined
  #isDamaged = false
  #skipped = 0

  constructor({ reading, isNew, ...way }: FollowedLogOptions) {
    this.#isNew = isNew
    this.#reading = reading
    this.#way = { ...way, log: reading.log, signal: reading.signal }
  }

  /** Continues from the saved position. */
  async resume(): Promise<void> {
    const saved = await this.#way.positions?.load(this.#name)
    if (!saved) return
    if (saved === 'damaged') {
      this.#isDamaged = true
      return
    }
    this.#memory = new Memory(saved.kept, saved.restedFor === undefined || saved.restedFor > shortRest)
  }

  /** Starts with the last entries of the log; with 0, with new entries only. */
  async begin(entries: number): Promise<boolean> {
    if (this.#isNew) await this.beginEmpty()
    if (this.#memory) return false
    const { log: last, whole } = await lastEntries(this.#reading, Math.max(entries, firstRead))
    const { log, date } = last
    const from = Math.max(0, log.length - entries)
    const known = log.map(seen)
    this.#memory = new Memory({ tail: known.slice(0, from), complete: whole, gone: [], doubtful: [] })
    if (log.length === 0 && whole) this.#memory.looked(date)
    if (this.#isDamaged) await this.#way.handlers.onGap({ log: this.#name, reason: 'forgotten' })
    await this.#keep(this.#memory)
    await deliver(this.#way, this.#memory, log.slice(from), known.slice(from))
    return entries > 0 && log.length > 0
  }

  /**
   * There is no such log yet: all its future entries are new, unless it was followed before up to an unknown position.
   */
  async beginEmpty(): Promise<void> {
    if (this.#memory || this.#isDamaged) return
    this.#memory = new Memory()
    await this.#keep(this.#memory)
  }

  /** Ends the following in good order. */
  rest(): void {
    if (this.#memory && !this.#memory.interrupted) this.#way.positions?.rest(this.#name)
  }

  /** A read has failed: much may have been missed. */
  missed(): void {
    if (!this.#memory) return
    this.#memory.interrupted = true
    this.#memory.listed = undefined
  }

  /**
   * @param listed date and size from before this read. @returns how many entries were new, and whether there were more
   */
  async look(listed: LogInfo | undefined): Promise<{ entries: number; behind: boolean }> {
    const memory = this.#memory
    if (!memory || (listed && this.#canSkip(memory, listed))) return { entries: 0, behind: false }
    const found = await readNew(this.#reading, memory)
    if (found.gap) await this.#tell(memory, found, found.gap)
    await deliver(this.#way, memory, found.entries, found.seen)
    if (memory.looked(found.emptyDate)) await this.#keep(memory)
    memory.listed = listed
    memory.recent = Math.max(Math.ceil(1.25 * found.entries.length), memory.recent >> 1)
    return { entries: found.entries.length, behind: found.behind }
  }

  /** Whether the list shows the log as unchanged; not trusted for ever. */
  #canSkip({ listed: before }: Memory, now: LogInfo): boolean {
    const most = now.size === undefined ? mostSkips.withoutSize : mostSkips.withSize
    const isUnchanged = before?.date === now.date && before.size === now.size && this.#skipped < most
    this.#skipped = isUnchanged ? this.#skipped + 1 : 0
    return isUnchanged
  }

  async #tell(
    memory: Memory,
    { entries }: NewEntries,
    { reason, before, complete }: NonNullable<NewEntries['gap']>,
  ) {
    const after = memory.last?.timestamp
    const next = entries[0]?.timestamp
    await this.#way.handlers.onGap({
      log: this.#name,
      reason,
      ...(after !== undefined && { after }),
      ...(next !== undefined && { before: next }),
    })
    memory.restart(before, complete)
    await this.#keep(memory)
  }

  async #keep(memory: Memory): Promise<void> {
    await this.#way.positions?.replace(this.#name, memory.kept())
  }

  get #name() {
    return this.#way.log
  }
}

/** Fewest entries announced at a time: as many may be delivered again after a power failure. */
const announcedAtOnce = 500

interface Delivery {
  log: string
  passing: Passing
  limit: RateLimit
  /** Most entries per delivery. */
  batch: number
  handlers: FollowHandlers
  positions?: Positions
  signal: AbortSignal
}

/** Delivers the entries that pass, and moves the position after each part that was accepted. Ends early when closed. */
async function deliver(
  { log, passing, limit, batch, handlers, positions, signal }: Delivery,
  memory: Memory,
  entries: readonly LogEntry[],
  marks: readonly SeenEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const passes = passing(entries)
  let lines: LogLine[] = []
  /** How far the position has moved, and up to which entry deliveries are announced. */
  let moved = 0
  let announced = { from: 0, to: 0 }

  const moveTo = (end: number) => {
    memory.add(marks.slice(moved, end))
    moved = end
  }
  const note = () => {
    const { from, to } = announced
    if (to === from && moved === from) return
    const left = Math.min(moved, to) - from
    positions?.moved(log, left, marks.slice(from + left, moved))
    announced = { from: moved, to: moved }
  }
  const announce = async (end: number) => {
    note()
    const to = Math.min(entries.length, Math.max(end, moved + announcedAtOnce))
    await positions?.announce(log, memory.kept(), marks.slice(moved, to))
    announced = { from: moved, to }
  }
  const handOn = async (end: number) => {
    if (end > announced.to) await announce(end)
    if (signal.aborted) return
    positions?.leaving(log, moved - announced.from, end - announced.from)
    await handlers.onEntries(lines)
    lines = []
    moveTo(end)
  }

  try {
    for (const [index, entry] of entries.entries()) {
      if (signal.aborted) return
      const line = logLine(log, entry)
      if (!passes[index] || !limit.take(line)) continue
      lines.push(memory.isDoubtful(marks[index]) ? { ...line, repeated: true } : line)
      if (lines.length === batch) await handOn(index + 1)
    }
    if (lines.length > 0 && !signal.aborted) await handOn(entries.length)
    if (!signal.aborted) moveTo(entries.length)
  } finally {
    note()
    await positions?.end(log)
  }
}
