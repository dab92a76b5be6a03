import { acksOf, noEffects, type Effects } from './effects'
import type { Post } from './post'
import type { RolloutStore } from './rollout-store'

interface ScribeOptions {
  root: string
  store: Pick<RolloutStore, 'append'>
  send: (post: Post) => void
  /** Told of journals that cannot be written. */
  failed: (error: unknown) => void
}

/**
 * Writes what happened before it sends what follows from it: nothing leaves that the journal does not know of. What
 * arrives while it writes is written together.
 */
export class Scribe {
  #next = noEffects()
  #work: Promise<void> | undefined

  constructor(private readonly options: ScribeOptions) {}

  perform({ entries, posts, heard }: Effects): void {
    this.#next.entries.push(...entries)
    this.#next.posts.push(...posts)
    this.#next.heard.push(...heard)
    const { entries: written, posts: ready, heard: known } = this.#next
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
      for (const post of [...now.posts, ...acksOf(root, now.heard)]) send(post)
    }
    this.#work = undefined
  }

  #take(): Effects | undefined {
    const { entries, posts, heard } = this.#next
    if (entries.length + posts.length + heard.length === 0) return undefined
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
