import type { FleetEvent } from '../messages'

/** Cells, and the last events of each, at most. */
const mostCells = 10_000
const mostEvents = 100

/** Tells repeated events from new ones, in bounded memory. */
export class EventMemory {
  readonly #seen = new Map<string, string[]>()

  isNew({ plant, cell, boot, seq }: Pick<FleetEvent, 'plant' | 'cell' | 'boot' | 'seq'>): boolean {
    const key = `${plant}/${cell}`
    const seen = this.#seen.get(key) ?? []
    const one = `${boot} ${seq}`
    if (seen.includes(one)) return false
    seen.push(one)
    if (seen.length > mostEvents) seen.shift()
    // The cell that was heard last comes last.
    this.#seen.delete(key)
    this.#seen.set(key, seen)
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > mostCells && oldest !== undefined) this.#seen.delete(oldest)
    return true
  }
}
