import type { LogEntry, LogInfo } from '../contract'
import type { Passing } from './filter'
import type { FollowHandlers } from './follow-options'
import { logLine, type LogLine } from './log-line'
import { Memory } from './memory'
import type { Positions } from './positions'
import type { RateLimit } from './rate-limit'
import { lastLines, readNew, type Found, type Reading } from './read-new'
import { seen, type Seen } from './seen'

/** Entries that are remembered at the start, so that the next look can be tied to them. */
const firstLook = 64

/** Milliseconds without a look that do not count as an interruption: a deploy takes less. */
const shortRest = 10_000

/** Looks in a row that the list may save. Without a size, it knows of a change only what its date says. */
const mostSkips = { withSize: 60, withoutSize: 6 }

interface Parts {
  reading: Reading
  passing: Passing
  limit: RateLimit
  batch: number
  handlers: FollowHandlers
  positions?: Positions
}

/** One log that is followed: what is known of it, and the way of its entries. */
export class FollowedLog {
  readonly #parts: Parts
  #memory: Memory | undefined
  #isUncertain = false
  #isDamaged = false
  #skipped = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Takes up the position that was kept. */
  async resume(): Promise<void> {
    const saved = await this.#parts.positions?.load(this.#name)
    if (!saved) return
    if (saved === 'damaged') {
      this.#isDamaged = true
      return
    }
    this.#memory = new Memory(saved.kept, saved.restedFor === undefined || saved.restedFor > shortRest)
    this.#isUncertain = saved.isUncertain
  }

  /** Begins with the last entries of the log; with none of them, with what is written from now on. */
  async begin(entries: number): Promise<boolean> {
    if (this.#memory) return false
    const { reading } = this.#parts
    const limit = Math.min(reading.most, Math.max(entries, firstLook))
    const { log, date } = await lastLines(reading, limit)
    const from = Math.max(0, log.length - entries)
    const known = log.map(seen)
    const isWhole = log.length < limit
    this.#memory = new Memory({ tail: known.slice(0, from), complete: isWhole, gone: [] })
    if (log.length === 0) this.#memory.looked(date)
    await this.#parts.positions?.replace(this.#name, this.#memory.kept())
    if (this.#isDamaged) await this.#parts.handlers.onGap({ log: this.#name, reason: 'forgotten' })
    await this.#deliver(log.slice(from), known.slice(from))
    return entries > 0 && log.length > 0
  }

  /** There is no such log yet: all that it will hold is new. */
  async beginEmpty(): Promise<void> {
    if (this.#memory) return
    this.#memory = new Memory()
    await this.#parts.positions?.replace(this.#name, this.#memory.kept())
  }

  /** Following ends. */
  rest(): void {
    if (this.#memory && !this.#memory.interrupted) this.#parts.positions?.rest(this.#name)
  }

  /** Looking has failed: what was missed may be long. */
  missed(): void {
    if (!this.#memory) return
    this.#memory.interrupted = true
    this.#memory.listed = undefined
  }

  /** @param listed date and size from before this look. @returns how many entries were new, and whether there were more */
  async look(listed: LogInfo | undefined): Promise<{ entries: number; behind: boolean }> {
    await this.beginEmpty()
    const memory = this.#memory
    if (!memory || (listed && this.#canSkip(memory, listed))) return { entries: 0, behind: false }
    const found = await readNew(this.#parts.reading, memory)
    if (found.gap) await this.#tell(memory, found, found.gap)
    await this.#deliver(found.entries, found.seen)
    if (memory.looked(found.emptyDate)) await this.#parts.positions?.replace(this.#name, memory.kept())
    memory.listed = listed
    memory.recent = Math.max(Math.ceil(1.25 * found.entries.length), memory.recent >> 1)
    return { entries: found.entries.length, behind: found.behind }
  }

  /** Whether the list says that the log is as it was; it is not believed for ever. */
  #canSkip({ listed: before }: Memory, now: LogInfo): boolean {
    const most = now.size === undefined ? mostSkips.withoutSize : mostSkips.withSize
    const isUnchanged = before?.date === now.date && before.size === now.size && this.#skipped < most
    this.#skipped = isUnchanged ? this.#skipped + 1 : 0
    return isUnchanged
  }

  async #tell(memory: Memory, { entries }: Found, { reason, before, complete }: NonNullable<Found['gap']>) {
    const after = memory.last?.timestamp
    const next = entries[0]?.timestamp
    await this.#parts.handlers.onGap({
      log: this.#name,
      reason,
      ...(after !== undefined && { after }),
      ...(next !== undefined && { before: next }),
    })
    memory.restart(before, complete)
    await this.#parts.positions?.replace(this.#name, memory.kept())
  }

  /** Hands on what passes, and moves the position behind each part of it that arrived. */
  async #deliver(entries: readonly LogEntry[], marks: readonly Seen[]): Promise<void> {
    const { passing, limit, batch, handlers, positions, reading } = this.#parts
    if (entries.length === 0) return
    const passes = passing(entries)
    let lines: LogLine[] = []
    let noted = 0
    const handOn = async (end: number) => {
      if (lines.length > 0) {
        await handlers.onEntries(lines)
        this.#isUncertain = false
      }
      lines = []
      const moved = marks.slice(noted, end)
      noted = end
      this.#memory?.add(moved)
      positions?.add(this.#name, moved)
    }
    positions?.begin(this.#name)
    for (const [index, entry] of entries.entries()) {
      if (reading.signal.aborted) break
      const line = logLine(this.#name, entry)
      if (passes[index] && limit.take(line))
        lines.push(this.#isUncertain ? { ...line, repeated: true } : line)
      if (lines.length === batch) await handOn(index + 1)
    }
    if (!reading.signal.aborted) await handOn(entries.length)
    await positions?.end(this.#name)
  }

  get #name() {
    return this.#parts.reading.log
  }
}
