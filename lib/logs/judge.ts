import { alignments } from './alignments'
import type { Memory } from './memory'
import type { SeenEntry } from './seen'

/**
 * Why it cannot be shown that nothing is missing. `overrun`: more was written than the device shows at most.
 * `replaced`: the log begins anew. `uncountable`: entries that are equal in all, so that nobody can tell how many are
 * new. `returned`: entries came back that had been handed on before the log lost them.
 * `forgotten`: the position that was kept cannot be read.
 */
export type GapReason = 'overrun' | 'replaced' | 'uncountable' | 'returned' | 'forgotten'

/** What the device shows of a log. */
export interface ShownLog {
  entries: readonly SeenEntry[]
  /** It is the whole log. */
  whole: boolean
  /** It is shorter than was asked for. */
  short: boolean
  /** More cannot be asked for: it is the whole log, or the longest answer. */
  final: boolean
  /** The log is as it was at the look before, by date and size. */
  unchanged: boolean
}

export interface Verdict {
  /** Entries from the start that are known or must not be handed on. */
  from: number
  gap?: GapReason
}

/** Which entries are new, or that more must be seen to tell. Where it errs, it hands on too little, with a gap. */
export function judge(memory: Memory, shown: ShownLog): Verdict | 'more' {
  const { entries, whole, final } = shown
  const { tail, complete } = memory
  // An emptied log says nothing; once there are entries, it shows whether they go on.
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

/** Entries that differ cannot come again in the same order; those of one moment can be equal. */
function isProven(memory: Memory, known: number, final: boolean): boolean {
  const overlap = Math.min(known, memory.tail.length)
  return memory.spansTime(overlap) && (final || overlap >= memory.overlap)
}

/** The log from its first entry on, which fits only so, or in which there are different entries. */
const isCountable = ({ tail, last }: Memory, found: readonly number[]) =>
  found.length <= 1 || tail.some(({ mark }) => mark !== last?.mark)

/** Everything up to the newest known entry is older than it, and known or too old. */
function behindKnown({ tail, gone }: Memory, entries: readonly SeenEntry[]): number {
  const known = new Set([...tail, ...gone].map(toMark))
  return entries.findLastIndex(({ mark }) => known.has(mark)) + 1
}
