import type { CellName } from '../topics'
import { ackOf, type Post } from './post'
import type { RolloutEntry } from './rollout-entries'

/** An answer or event that its cell need not repeat any more. */
export interface Heard {
  plant: string
  cell: string
  boot: string
  seq: number
}

/** What follows from what happened: first the entries are written, then the messages are sent. */
export interface Effects {
  entries: { rollout: string; entry: RolloutEntry }[]
  posts: Post[]
  heard: Heard[]
}

export const noEffects = (): Effects => ({ entries: [], posts: [], heard: [] })

/** Acknowledgements in one message. */
const together = 500

/** One acknowledgement per cell and start of its agent, for all that was heard. */
export function acksOf(root: string, heard: readonly Heard[]): Post[] {
  const byStart = new Map<string, { cell: CellName; boot: string; seqs: Set<number> }>()
  for (const { plant, cell, boot, seq } of heard) {
    const key = `${plant}/${cell}/${boot}`
    const known = byStart.get(key) ?? { cell: { root, plant, cell }, boot, seqs: new Set() }
    byStart.set(key, known)
    known.seqs.add(seq)
  }
  return [...byStart.values()].flatMap(({ cell, boot, seqs }) => {
    const all = [...seqs]
    const parts = Array.from({ length: Math.ceil(all.length / together) }, (_, part) =>
      all.slice(part * together, (part + 1) * together),
    )
    return parts.map((part) => ackOf(cell, boot, part))
  })
}
