import type { SeenEntry } from './seen'

/** More than one death can leave behind. */
const most = 20_000

/** Entries behind the position that may have been handed on already: the program died in the middle of that. */
export class DoubtfulEntries {
  readonly #counts = new Map<number, number>()

  /** @param marks of the entries; of equal ones, as many as there are */
  constructor(marks: readonly number[]) {
    for (const mark of marks.slice(-most)) this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + 1)
  }

  has({ mark }: SeenEntry): boolean {
    return this.#counts.has(mark)
  }

  /** The position has moved behind this one. */
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
