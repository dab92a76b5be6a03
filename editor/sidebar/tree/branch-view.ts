import { DeviceProblem } from '../../request'
import type { TreeContext } from './context'
import type { Branch, Entry } from './entry'
import { RowView } from './row-view'

/** Seconds until something that failed is tried again. */
const pauseAfterFailure = 3

/** The lines below a line, kept as the branch tells them. */
export class BranchView {
  readonly #list: JQuery
  readonly #level: number
  readonly #context: TreeContext
  readonly #rows = new Map<string, RowView>()
  #branch: Branch
  #isLoading = false
  #due = 0

  constructor(branch: Branch, list: JQuery, level: number, context: TreeContext) {
    this.#branch = branch
    this.#list = list
    this.#level = level
    this.#context = context
  }

  /** The same branch, read again from above. */
  set branch(branch: Branch) {
    this.#branch = branch
  }

  /** Looks again as soon as the tree next ticks. */
  hurry(): void {
    this.#due = 0
    for (const row of this.#rows.values()) row.hurry()
  }

  /** Folds up and drops all that was seen, and looks again as soon as the tree next ticks. */
  clear(): void {
    this.#show([])
    this.#due = 0
  }

  /** Looks where it is time to, here and in the open branches below. */
  tick(): void {
    if (!this.#isLoading && Date.now() >= this.#due) void this.#load()
    for (const row of this.#rows.values()) row.tick()
  }

  async #load(): Promise<void> {
    this.#isLoading = true
    this.#due = Infinity
    const { every } = this.#branch
    let pause: number | undefined = every
    if (this.#rows.size === 0) this.#list.attr('aria-busy', 'true')
    try {
      const entries = await this.#branch.load(() => (this.#due = 0))
      this.#list.removeClass('vision-stale')
      this.#show(entries.length ? entries : [this.#context.nothing])
    } catch (problem) {
      pause = Math.max(every ?? 0, pauseAfterFailure)
      this.#failed(problem)
    } finally {
      this.#isLoading = false
      this.#list.removeAttr('aria-busy')
      if (this.#due === Infinity && pause !== undefined) this.#due = Date.now() + 1000 * pause
    }
  }

  /** What was seen last stays, but looks as old as it is; what is not there any more goes. */
  #failed(problem: unknown): void {
    const isGone = problem instanceof DeviceProblem && problem.code === 'NOT_FOUND'
    const text = problem instanceof Error ? problem.message : String(problem)
    const told: Entry = { key: '!', label: text, icon: 'exclamation-triangle', tone: 'bad', isText: true }
    const known = isGone ? [] : [...this.#rows.values()].map(({ entry }) => entry)
    this.#list.addClass('vision-stale')
    this.#show([told, ...known.filter(({ key }) => key !== '!' && key !== this.#context.nothing.key)])
  }

  #show(entries: readonly Entry[]): void {
    const keys = new Set(entries.map(({ key }) => key))
    for (const [key, row] of this.#rows)
      if (!keys.has(key)) {
        row.remove()
        this.#rows.delete(key)
      }
    let before: Element | null = null
    for (const entry of entries) {
      const row = this.#rows.get(entry.key) ?? new RowView(entry, this.#level, this.#context)
      this.#rows.set(entry.key, row)
      row.update(entry)
      const [element] = row.element.get()
      const next: Element | null = before
        ? before.nextElementSibling
        : (this.#list[0]?.firstElementChild ?? null)
      if (element && element !== next) this.#list[0]?.insertBefore(element, next)
      before = element ?? before
    }
    this.#context.changed()
  }
}
