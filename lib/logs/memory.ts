import type { LogInfo } from '../contract'
import { DoubtfulEntries } from './doubtful'
import type { SeenEntry } from './seen'

/** Entries that are remembered of a log, and at most, where as many are from one moment. */
const remembered = 500
const mostRemembered = 10_000

/** Fewest entries that must be seen again, where that many are remembered. */
const leastOverlap = 8

/** What is to be kept of a memory over a restart. */
export interface RememberedEntries {
  /** The newest entries of the log up to the present position, oldest first. */
  tail: readonly SeenEntry[]
  /** The tail begins with the first entry of the log. */
  complete: boolean
  /** Entries that were handed on and were no longer in the log later: should they come back, they are not new. */
  gone: readonly SeenEntry[]
  /** Marks of entries behind the position that may have been handed on: the program died in the middle of that. */
  doubtful: readonly number[]
  /** Date of the log when it was found empty: while it stays so, nothing was written and lost again. */
  emptySince?: number
}

/** How far a log has been followed. */
export class Memory {
  tail: SeenEntry[] = []
  complete: boolean
  gone: readonly SeenEntry[]
  /** Since the last look, looking failed: what was missed may be long. */
  interrupted: boolean
  #emptySince: number | undefined
  readonly #doubtful: DoubtfulEntries
  /** Date and size before the newest look; the log has not changed while these have not. */
  listed: LogInfo | undefined
  /** Date and size with the newest look. */
  info: LogInfo | undefined
  /** Newest entry of an answer from which nothing could be told yet. */
  glimpsed: SeenEntry | undefined
  /** Entries that recent looks brought, rather more than fewer. */
  recent = 0
  /** Newest entries that all have the same time. */
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

  /** These were handed on, or left out on purpose: the position moves behind them. */
  add(entries: readonly SeenEntry[]): void {
    this.#take(entries)
    for (const entry of entries) this.#doubtful.passed(entry)
    this.#sinceRestart += entries.length
    if (this.#sinceRestart >= remembered) this.gone = []
  }

  /** After a gap: what the log holds now up to the position takes the place of what it held before. */
  restart(before: readonly SeenEntry[], complete: boolean): void {
    const there = new Set(before.map(({ mark }) => mark))
    this.gone = [...this.gone, ...this.tail].filter(({ mark }) => !there.has(mark)).slice(-remembered)
    this.tail = []
    this.#sameTime = 0
    this.#sinceRestart = 0
    this.complete = complete
    this.#take(before)
  }

  /** A look has succeeded. @param emptyDate date of the log if it is empty. @returns whether that is to be kept */
  looked(emptyDate: number | undefined): boolean {
    const isFirst = this.tail.length === 0 && emptyDate !== undefined && this.#emptySince === undefined
    if (isFirst) this.#emptySince = emptyDate
    // Of an empty log, one cannot see whether it was written and lost meanwhile, but by its date.
    if (this.tail.length > 0 || emptyDate === this.#emptySince) this.interrupted = false
    return isFirst
  }

  kept(): RememberedEntries {
    const { tail, complete, gone } = this
    const { marks: doubtful } = this.#doubtful
    const emptySince = this.#emptySince
    return { tail, complete, gone, doubtful, ...(emptySince !== undefined && { emptySince }) }
  }

  /** Whether it may have been handed on already. */
  isDoubtful(entry: SeenEntry | undefined): boolean {
    return entry !== undefined && this.#doubtful.has(entry)
  }

  /** Whether an overlap of so many entries holds two different times: equal entries have the same time. */
  spansTime(overlap: number): boolean {
    return overlap > this.#sameTime
  }

  /** Entries that must be seen again before it counts as proven that nothing is missing. */
  get overlap(): number {
    const { length } = this.tail
    return this.interrupted ? length : Math.min(length, Math.max(leastOverlap, this.#sameTime + 1))
  }

  #take(entries: readonly SeenEntry[]) {
    for (const entry of entries) {
      this.#sameTime = entry.timestamp === this.last?.timestamp ? this.#sameTime + 1 : 1
      this.tail.push(entry)
    }
    // What proves something is what comes before the newest moment.
    const most = Math.min(mostRemembered, Math.max(remembered, this.#sameTime + leastOverlap))
    if (this.tail.length <= most) return
    this.tail.splice(0, this.tail.length - most)
    this.complete = false
    this.#sameTime = Math.min(this.#sameTime, most)
  }
}
