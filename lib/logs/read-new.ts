import type { LogEntry, LogInfo } from '../contract'
import { judge, type GapReason, type Verdict } from './judge'
import { isLimited, isWhole, lastLines, mostOf, nextLimit, type Reading } from './last-lines'
import type { Memory } from './memory'
import { seen, type SeenEntry } from './seen'

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
    const verdict = judge(memory, {
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
