import type { CallOptions } from '../client/options'
import { isVisionError } from '../client/vision-error'
import type { Log, LogEntry, LogInfo } from '../contract'
import type { Memory } from './memory'

/** Fewest entries to request beyond the overlap; the larger number after an interruption, when there may be more. */
const room = 8
const roomAfterInterruption = 64

export interface NewEntries {
  /** Oldest first; `seen` has what is remembered of each. */
  entries: readonly LogEntry[]
  seen: readonly SeenEntry[]
  /** Set if something may be missing before the first entry. */
  gap?: { reason: GapReason; before: readonly SeenEntry[]; complete: boolean }
  /** Date of the log if it is empty. */
  emptyDate?: number
  /** Whether the device had more than was expected. */
  behind: boolean
}

/**
 * Reads the entries of a log after the remembered ones, with as few lines as prove that none is missing. Changes
 * `memory` only in what it knows about the log's date and size.
 * @throws VisionError
 */
export async function readNew(reading: Reading, memory: Memory): Promise<NewEntries> {
  const expected = memory.interrupted ? roomAfterInterruption : room
  // What was too long at the previous read may fit now.
  delete reading.readable
  let limit = Math.min(mostOf(reading), memory.overlap + Math.max(expected, memory.recent))
  let isAskedAgain = false
  for (let asked = 1; ; asked++) {
    const last = await lastLines(reading, limit)
    const { log, ...info } = last
    limit = Math.min(limit, mostOf(reading))
    const entries = log.map(seen)
    const whole = isWhole(last, limit, reading)
    const verdict = locateNewEntries(memory, {
      entries,
      whole,
      short: log.length < limit,
      final: whole || limit >= mostOf(reading),
      unchanged: isSame(memory.info, info),
    })
    // What was too long to read may have left the log meanwhile: then more of it can be read than the gap leaves.
    if (verdict !== 'more' && verdict.gap && isLimited(reading) && !whole && !isAskedAgain) {
      isAskedAgain = true
      delete reading.readable
      limit = Math.min(mostOf(reading), 2 * limit)
      continue
    }
    const { glimpsed } = memory
    const isLost = glimpsed && !entries.some(({ mark }) => mark === glimpsed.mark)
    if (!isLost) memory.glimpsed = entries.at(-1) ?? glimpsed
    if (verdict !== 'more') {
      memory.info = info
      // The device lost its newest entries between two answers.
      if (isLost) verdict.gap ??= 'replaced'
      if (log.length === 0)
        return { entries: [], seen: [], behind: false, ...(whole && { emptyDate: info.date }) }
      memory.glimpsed = undefined
      return found(memory, { log, entries, verdict, whole, behind: asked > 1 && verdict.from < log.length })
    }
    limit = nextLimit(last, limit, reading)
  }
}

/** Whether a log is unchanged; unknown without a size. */
const isSame = (before: LogInfo | undefined, now: LogInfo) =>
  before?.size !== undefined && before.size === now.size && before.date === now.date

interface LogSnapshot {
  log: readonly LogEntry[]
  entries: readonly SeenEntry[]
  verdict: Verdict
  whole: boolean
  behind: boolean
}

function found(memory: Memory, { log, entries, verdict, whole, behind }: LogSnapshot): NewEntries {
  const { from, gap } = verdict
  const fresh = { entries: log.slice(from), seen: entries.slice(from), behind }
  if (gap) return { ...fresh, gap: { reason: gap, ...start(memory, entries, from, whole) } }
  const gone = new Set(memory.gone.map(({ mark }) => mark))
  const isNew = ({ mark }: SeenEntry) => !gone.has(mark)
  if (gone.size === 0 || fresh.seen.every(isNew)) return fresh
  // Entries before a known one are old.
  const first = entries.findLastIndex((entry) => !isNew(entry)) + 1
  return {
    entries: log.slice(first),
    seen: entries.slice(first),
    gap: { reason: 'returned', ...start(memory, entries, first, whole) },
    behind,
  }
}

/**
 * Where following starts after a gap. Later on, the first entry counts as the log's beginning, unless it is from the
 * same moment as the newest known one: the log may then be replaced again within that moment.
 */
const start = (memory: Memory, entries: readonly SeenEntry[], from: number, whole: boolean) => ({
  before: entries.slice(0, from),
  complete: whole && entries[0]?.timestamp !== memory.last?.timestamp,
})

/**
 * Why it cannot be shown that nothing is missing. `overrun`: more was written than the device shows at most.
 * `replaced`: the log was restarted. `uncountable`: entries are identical, so that the new ones cannot be counted.
 * `returned`: entries reappeared that had been delivered before the log lost them. `forgotten`: the saved position
 * cannot be read.
 */
export type GapReason = 'overrun' | 'replaced' | 'uncountable' | 'returned' | 'forgotten'

/** The part of a log that the device shows. */
interface ShownLog {
  entries: readonly SeenEntry[]
  /** Whether it is the whole log. */
  whole: boolean
  /** Whether it is shorter than requested. */
  short: boolean
  /** Whether more cannot be requested: it is the whole log, or the longest answer. */
  final: boolean
  /** Whether the log is unchanged since the previous read, by date and size. */
  unchanged: boolean
}

interface Verdict {
  /** Number of entries from the start that are known or must not be delivered. */
  from: number
  gap?: GapReason
}

/** Locates the new entries, or reports that more must be read. In doubt it delivers too few, with a gap. */
function locateNewEntries(memory: Memory, shown: ShownLog): Verdict | 'more' {
  const { entries, whole, final } = shown
  const { tail, complete } = memory
  // An empty log proves nothing; later entries show whether they continue the known ones.
  if (entries.length === 0) return final ? { from: 0 } : 'more'
  const found = alignments(tail.map(toMark), entries.map(toMark))

  const proven = found.filter((known) => isProven(memory, known, final))
  const [only] = proven
  if (only !== undefined && proven.length === 1) return { from: only }
  if (!final) return 'more'

  if (whole && complete && tail.length === 0 && !memory.interrupted) return { from: 0 }
  if (whole && complete && found.includes(tail.length))
    return isCountable(memory, found)
      ? { from: tail.length }
      : { from: tail.length, ...(!shown.unchanged && { gap: 'uncountable' as const }) }
  const [fewestNew] = found
  if (fewestNew !== undefined)
    return { from: fewestNew, ...(!shown.unchanged && { gap: 'uncountable' as const }) }
  const from = behindKnown(memory, entries)
  return { from, gap: shown.short || from > 0 ? 'replaced' : 'overrun' }
}

const toMark = ({ mark }: SeenEntry) => mark

/** Different entries cannot recur in the same order; entries of one moment can be equal. */
function isProven(memory: Memory, known: number, final: boolean): boolean {
  const overlap = Math.min(known, memory.tail.length)
  return memory.spansTime(overlap) && (final || overlap >= memory.overlap)
}

/** Either the log from its first entry on fits in this way only, or it contains different entries. */
const isCountable = ({ tail, last }: Memory, found: readonly number[]) =>
  found.length <= 1 || tail.some(({ mark }) => mark !== last?.mark)

/** Number of entries up to the newest known one; those before it are known or too old. */
function behindKnown({ tail, gone }: Memory, entries: readonly SeenEntry[]): number {
  const known = new Set([...tail, ...gone].map(toMark))
  return entries.findLastIndex(({ mark }) => known.has(mark)) + 1
}

/**
 * Possible positions of the newest known entry in what the device shows now. Each returned number is how many entries
 * of `shown` would then be known, largest first: either the last entries of `tail` are the first of `shown`, or `shown`
 * contains all of `tail`. Linear in both lengths (Z function of both, backwards).
 * @param tail marks of the last known entries, oldest first, none of them -1
 * @param shown marks of what the device shows, oldest first
 */
export function alignments(tail: readonly number[], shown: readonly number[]): number[] {
  const backwards = [...tail.toReversed(), -1, ...shown.toReversed()]
  const lengths = commonWithStart(backwards)
  const found: number[] = []
  for (let known = shown.length; known > 0; known--) {
    const at = tail.length + 1 + (shown.length - known)
    if (lengths[at] === Math.min(known, tail.length)) found.push(known)
  }
  return tail.length === 0 ? [] : found
}

/** For each index, how many items from there on equal those at the start. */
function commonWithStart(items: readonly number[]): Uint32Array {
  const lengths = new Uint32Array(items.length)
  let from = 0
  let to = 0
  for (let place = 1; place < items.length; place++) {
    let length = place < to ? Math.min(to - place, lengths[place - from] ?? 0) : 0
    while (place + length < items.length && items[length] === items[place + length]) length++
    lengths[place] = length
    if (place + length > to) {
      from = place
      to = place + length
    }
  }
  return lengths
}

/** Factor by which the request grows if the answer was not sufficient. */
const growth = 4

export interface Reading {
  source: LogSource
  log: string
  /** Longest answer to request, in entries. */
  readonly most: number
  /** A lower limit, set once an answer was too long to be read. */
  readable?: number
  signal: AbortSignal
}

/** Reads the last lines of a log; fewer if the client does not accept an answer of that length. */
async function lastLines(reading: Reading, limit: number): Promise<Log> {
  const { source, log, signal } = reading
  try {
    return await source.getLog({ log, limit }, { signal, waitForDevice: false })
  } catch (error) {
    if (!isVisionError(error) || error.key !== 'too-long-reply' || limit <= 1) throw error
    reading.readable = Math.ceil(limit / 2)
    return lastLines(reading, reading.readable)
  }
}

/** Whether an answer was too long to be read. */
const isLimited = ({ readable }: Reading): boolean => readable !== undefined

const mostOf = ({ most, readable = most }: Reading): number => Math.min(most, readable)

/**
 * Whether the answer to a request for this many lines is the whole log. A shorter answer is not sufficient proof: if a
 * device counts lines of text, an entry of many lines may not have fitted. It must be shorter than half of the longest
 * answer.
 */
function isWhole({ log, size = 0 }: Log, limit: number, reading: Reading): boolean {
  if (log.length === 0 && size === 0) return true
  const lines = log.reduce((sum, { message }) => sum + message.split('\n').length, 0)
  return limit >= mostOf(reading) && 2 * lines <= limit
}

/** How many lines to request next if the answer was not sufficient: all of a log that seems to be short. */
const nextLimit = ({ log }: Log, limit: number, reading: Reading): number =>
  Math.min(mostOf(reading), log.length < limit ? Infinity : limit * growth)

/** The newest entries of a log, at least this many if it has them, and whether they are the whole log. */
export async function lastEntries(reading: Reading, least: number): Promise<{ log: Log; whole: boolean }> {
  for (let limit = Math.min(mostOf(reading), least); ;) {
    const log = await lastLines(reading, limit)
    limit = Math.min(limit, mostOf(reading))
    const whole = isWhole(log, limit, reading)
    if (whole || log.log.length >= limit || limit >= mostOf(reading)) return { log, whole }
    limit = nextLimit(log, limit, reading)
  }
}

/** More than one crash can leave behind. */
const most = 20_000

/** Entries after the position that may already have been delivered, because the program died while delivering them. */
export class DoubtfulEntries {
  readonly #counts = new Map<number, number>()

  /** @param marks of the entries; equal entries occur as often as there are */
  constructor(marks: readonly number[]) {
    for (const mark of marks.slice(-most)) this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + 1)
  }

  has({ mark }: SeenEntry): boolean {
    return this.#counts.has(mark)
  }

  /** The position has moved past this entry. */
  passed({ mark }: SeenEntry): void {
    const count = this.#counts.get(mark)
    if (count === undefined) return
    if (count > 1) this.#counts.set(mark, count - 1)
    else this.#counts.delete(mark)
  }

  get marks(): number[] {
    return [...this.#counts].flatMap(([mark, count]) => Array<number>(count).fill(mark))
  }
}

/** What is remembered of an entry, enough to recognise it. */
export interface SeenEntry {
  /**
   * 53 bits from its time, level, component and text: two different entries collide with a probability of 1 in 10^16.
   */
  mark: number
  /** Seconds since 1970, by the device's clock. */
  timestamp: number
}

export const seen = ({ timestamp, level, component, message }: LogEntry): SeenEntry => ({
  mark: hash(`${timestamp}\n${level}\n${component}\n${message}`),
  timestamp,
})

/** Two rounds of 32 bits each, mixed at the end. Not for secrets; ten times as fast as a Node.js digest. */
function hash(text: string): number {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 2654435761)
    two = Math.imul(two ^ unit, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return (two & 0x1fffff) * 0x100000000 + (one >>> 0)
}

/** A follower repeats by itself, so its calls do not wait for a device that is not there. */
type QuickCall = Required<Pick<CallOptions, 'signal' | 'waitForDevice'>>

/** The operations needed to follow logs; every client has them. */
export interface LogSource {
  listLogs: (options: QuickCall) => Promise<LogInfo[]>
  /** The newest entries, oldest first. */
  getLog: (input: { log: string; limit: number }, options: QuickCall) => Promise<Log>
}
