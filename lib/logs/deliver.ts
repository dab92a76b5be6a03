import type { LogEntry } from '../contract'
import type { Passing } from './filter'
import type { FollowHandlers } from './follow-options'
import { logLine, type LogLine } from './log-line'
import type { Memory } from './memory'
import type { Positions } from './positions'
import type { RateLimit } from './rate-limit'
import type { SeenEntry } from './seen'

/** Fewest entries announced at a time: as many may be delivered again after a power failure. */
const announcedAtOnce = 500

export interface Delivery {
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
export async function deliver(
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
    await positions?.end(log, memory.kept())
  }
}
