import type { LogInfo } from '../contract'
import { deliver, type Delivery } from './deliver'
import { lastEntries, type Reading } from './last-lines'
import { Memory } from './memory'
import { readNew, type NewEntries } from './read-new'
import { seen } from './seen'

/** Entries remembered at the start, so that the next read can be aligned with them. */
const firstLook = 64

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
export class FollowedLog {
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
    const { log: last, whole } = await lastEntries(this.#reading, Math.max(entries, firstLook))
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

  /** Whether the list says that the log has not changed; it is not trusted for ever. */
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
