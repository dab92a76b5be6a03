import type { FleetEvent } from '../messages'

/** Cells, and the last events of each, at most: a cell repeats as many. */
const mostCells = 10_000
const mostEvents = 1000

/** Tells repeated events from new ones, in bounded memory. */
export class EventMemory {
  readonly #seen = new Map<string, Set<string>>()

  isNew({ plant, cell, boot, seq }: Pick<FleetEvent, 'plant' | 'cell' | 'boot' | 'seq'>): boolean {
    const key = `${plant}/${cell}`
    const seen = this.#seen.get(key) ?? new Set<string>()
    const one = `${boot} ${seq}`
    if (seen.has(one)) return false
    seen.add(one)
    const [first] = seen
    if (seen.size > mostEvents && first !== undefined) seen.delete(first)
    // The cell that was heard last comes last.
    this.#seen.delete(key)
    this.#seen.set(key, seen)
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > mostCells && oldest !== undefined) this.#seen.delete(oldest)
    return true
  }
}
