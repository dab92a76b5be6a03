import { alignments } from './alignments'
import type { Memory } from './memory'
import type { SeenEntry } from './seen'

/**
 * Why it cannot be shown that nothing is missing. `overrun`: more was written than the device shows at most.
 * `replaced`: the log starts anew. `uncountable`: entries are identical, so that the new ones cannot be counted.
 * `returned`: entries reappeared that had been delivered before the log lost them. `forgotten`: the saved position
 * cannot be read.
 */
export type GapReason = 'overrun' | 'replaced' | 'uncountable' | 'returned' | 'forgotten'

/** The part of a log that the device shows. */
export interface ShownLog {
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

export interface Verdict {
  /** Number of entries from the start that are known or must not be delivered. */
  from: number
  gap?: GapReason
}

/** Decides which entries are new, or that more must be read to tell. In doubt it delivers too few, with a gap. */
export function judge(memory: Memory, shown: ShownLog): Verdict | 'more' {
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
