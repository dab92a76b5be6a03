import type { SeenEntry } from './seen'

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
