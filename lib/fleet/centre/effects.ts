import { topicOf, type CellName } from '../messages'
import type { RolloutEntry, RolloutStore } from './rollout-record'

/** A message for the broker, with QoS 1. */
export interface Post {
  topic: string
  /** Empty: it deletes the retained message of its topic. */
  payload: object | ''
  retain: boolean
  responseTopic?: string
  correlationData?: string
  /** Seconds after which the broker drops it. */
  messageExpiryInterval?: number
}

/** What a centre needs of the time. A clock that is set must not make a cell seem gone. */
export interface Clock {
  /** Milliseconds of a clock that is never set. */
  steady: () => number
  /** Whole milliseconds since 1970. */
  wall: () => number
}

/** An acknowledgement of answers and events, which the cell then no longer repeats. */
const ackOf = (cell: CellName, boot: string, seqs: readonly number[]): Post => ({
  topic: topicOf(cell, 'ack'),
  payload: { v: 1, boot, seqs },
  retain: false,
  messageExpiryInterval: 60,
})

/** An answer or event that its cell need not repeat any more. */
export interface Received {
  plant: string
  cell: string
  boot: string
  seq: number
}

/** What follows from what happened: first the entries are written, then the messages are sent. */
export interface Effects {
  entries: { rollout: string; entry: RolloutEntry }[]
  posts: Post[]
  received: Received[]
}

export const noEffects = (): Effects => ({ entries: [], posts: [], received: [] })

/** Acknowledgements in one message. */
const together = 500

/** One acknowledgement per cell and start of its agent, for everything received. */
function acksOf(root: string, heard: readonly Received[]): Post[] {
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

interface ScribeOptions {
  root: string
  store: Pick<RolloutStore, 'append'>
  send: (post: Post) => void
  /** Receives failures to write journals. */
  failed: (error: unknown) => void
}

/**
 * Writes entries before it sends the messages that follow from them: nothing leaves that is not journaled. What arrives during
 * a write is written together.
 */
export class EffectRunner {
  #next = noEffects()
  #work: Promise<void> | undefined

  constructor(private readonly options: ScribeOptions) {}

  perform({ entries, posts, received }: Effects): void {
    this.#next.entries.push(...entries)
    this.#next.posts.push(...posts)
    this.#next.received.push(...received)
    const { entries: written, posts: ready, received: known } = this.#next
    if (written.length + ready.length + known.length > 0) this.#work ??= this.#run()
  }

  /** Resolves when nothing is left to be written. */
  async idle(): Promise<void> {
    await this.#work
  }

  async #run(): Promise<void> {
    const { root, store, send, failed } = this.options
    // What happens in this turn of the event loop is written together.
    await Promise.resolve()
    for (let now = this.#take(); now; now = this.#take()) {
      try {
        for (const [rollout, entries] of byRollout(now)) await store.append(rollout, entries)
      } catch (error) {
        failed(error)
        // Commands are repeated by those who wait for them, answers by the cells: only the entries are kept.
        this.#next.entries.unshift(...now.entries)
        break
      }
      for (const post of [...now.posts, ...acksOf(root, now.received)]) send(post)
    }
    this.#work = undefined
  }

  #take(): Effects | undefined {
    const { entries, posts, received } = this.#next
    if (entries.length + posts.length + received.length === 0) return undefined
    const now = this.#next
    this.#next = noEffects()
    return now
  }
}

function byRollout({ entries }: Effects) {
  const grouped = new Map<string, Effects['entries'][number]['entry'][]>()
  for (const { rollout, entry } of entries) {
    const list = grouped.get(rollout)
    if (list) list.push(entry)
    else grouped.set(rollout, [entry])
  }
  return grouped
}
