import type { LogInfo } from '../contract'
import { DoubtfulEntries, type SeenEntry } from './read-new'

/** Entries of a log that are remembered, and the maximum if that many have the same time. */
const remembered = 500
const mostRemembered = 10_000

/** Fewest entries that must be found again, if that many are remembered. */
const leastOverlap = 8

/** The part of a memory that is saved across a restart. */
export interface RememberedEntries {
  /** The newest entries of the log up to the present position, oldest first. */
  tail: readonly SeenEntry[]
  /** Whether the tail begins with the first entry of the log. */
  complete: boolean
  /** Entries that were delivered and later disappeared from the log: if they reappear, they are not new. */
  gone: readonly SeenEntry[]
  /**
   * Marks of entries after the position that may have been delivered, because the program died while delivering them.
   */
  doubtful: readonly number[]
  /** Date of the log when it was found empty: while the date is unchanged, nothing was written and lost again. */
  emptySince?: number
}

/** How far a log has been followed. */
export class Memory {
  tail: SeenEntry[] = []
  complete: boolean
  gone: readonly SeenEntry[]
  /** Whether a read has failed since the last successful one: much may have been missed. */
  interrupted: boolean
  #emptySince: number | undefined
  readonly #doubtful: DoubtfulEntries
  /** Date and size before the newest read; while these are unchanged, so is the log. */
  listed: LogInfo | undefined
  /** Date and size at the newest read. */
  info: LogInfo | undefined
  /** Newest entry of an answer that was not yet conclusive. */
  glimpsed: SeenEntry | undefined
  /** Estimate of the entries per read, rather too high than too low. */
  recent = 0
  /** Number of newest entries that share the same time. */
  #sameTime = 0
  #sinceRestart = 0

  constructor(
    { tail, complete, gone, doubtful, emptySince }: RememberedEntries = {
      tail: [],
      complete: true,
      gone: [],
      doubtful: [],
    },
    interrupted = false,
  ) {
    this.complete = complete
    this.gone = gone
    this.interrupted = interrupted
    this.#emptySince = emptySince
    this.#doubtful = new DoubtfulEntries(doubtful)
    this.#take(tail)
  }

  get last(): SeenEntry | undefined {
    return this.tail.at(-1)
  }

  /** Moves the position past entries that were delivered, or left out on purpose. */
  add(entries: readonly SeenEntry[]): void {
    this.#take(entries)
    for (const entry of entries) this.#doubtful.passed(entry)
    this.#sinceRestart += entries.length
    if (this.#sinceRestart >= remembered) this.gone = []
  }

  /** After a gap: replaces the remembered entries by those that the log now holds up to the position. */
  restart(before: readonly SeenEntry[], complete: boolean): void {
    const there = new Set(before.map(({ mark }) => mark))
    this.gone = [...this.gone, ...this.tail].filter(({ mark }) => !there.has(mark)).slice(-remembered)
    this.tail = []
    this.#sameTime = 0
    this.#sinceRestart = 0
    this.complete = complete
    this.#take(before)
  }

  /** A read has succeeded. @param emptyDate date of the log if it is empty. @returns whether that must be saved */
  looked(emptyDate: number | undefined): boolean {
    const isFirst = this.tail.length === 0 && emptyDate !== undefined && this.#emptySince === undefined
    if (isFirst) this.#emptySince = emptyDate
    // Only its date shows whether an empty log was written and emptied in the meantime.
    if (this.tail.length > 0 || emptyDate === this.#emptySince) this.interrupted = false
    return isFirst
  }

  kept(): RememberedEntries {
    const { tail, complete, gone } = this
    const { marks: doubtful } = this.#doubtful
    const emptySince = this.#emptySince
    return { tail, complete, gone, doubtful, ...(emptySince !== undefined && { emptySince }) }
  }

  /** Whether it may already have been delivered. */
  isDoubtful(entry: SeenEntry | undefined): boolean {
    return entry !== undefined && this.#doubtful.has(entry)
  }

  /** Whether an overlap of this many entries contains two different times: equal entries have the same time. */
  spansTime(overlap: number): boolean {
    return overlap > this.#sameTime
  }

  /** Entries that must be found again to prove that nothing is missing. */
  get overlap(): number {
    const { length } = this.tail
    return this.interrupted ? length : Math.min(length, Math.max(leastOverlap, this.#sameTime + 1))
  }

  #take(entries: readonly SeenEntry[]) {
    for (const entry of entries) {
      this.#sameTime = entry.timestamp === this.last?.timestamp ? this.#sameTime + 1 : 1
      this.tail.push(entry)
    }
    // Only entries before the newest moment are proof.
    const most = Math.min(mostRemembered, Math.max(remembered, this.#sameTime + leastOverlap))
    if (this.tail.length <= most) return
    this.tail.splice(0, this.tail.length - most)
    this.complete = false
    this.#sameTime = Math.min(this.#sameTime, most)
  }
}
