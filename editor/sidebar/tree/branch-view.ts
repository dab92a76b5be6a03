import { DeviceProblem } from '../../request'
import type { TreeContext } from './context'
import type { TreeBranch, TreeEntry } from './entry'
import { heldOrder } from './held-order'
import { RowView } from './row-view'

/** Seconds until a failed read is repeated. */
const pauseAfterFailure = 3

/** The lines below a line, updated from the branch. */
export class BranchView {
  readonly #list: JQuery
  readonly #level: number
  readonly #context: TreeContext
  readonly #rows = new Map<string, RowView>()
  #branch: TreeBranch
  #entries: readonly TreeEntry[] = []
  #isLoading = false
  #due = 0

  constructor(branch: TreeBranch, list: JQuery, level: number, context: TreeContext) {
    this.#branch = branch
    this.#list = list
    this.#level = level
    this.#context = context
  }

  /** The same branch, as newly read by its parent. */
  set branch(branch: TreeBranch) {
    this.#branch = branch
  }

  /** Reads again at the next tick of the tree. */
  hurry(): void {
    this.#due = 0
    for (const row of this.#rows.values()) row.hurry()
  }

  /** Collapses, drops the content, and reads again at the next tick of the tree. */
  clear(): void {
    this.#context.failed(this.#list)
    this.#show([])
    this.#due = 0
  }

  /** Moves all lines to their final position, which had to wait while the user was among them. */
  settle(): void {
    this.#show(this.#entries)
    for (const row of this.#rows.values()) row.settle()
  }

  /** Reads what is due, here and in the open branches below. */
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
      this.#context.failed(this.#list)
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

  /** The last content stays, marked as out of date; lines that no longer exist are removed. */
  #failed(problem: unknown): void {
    const isGone = problem instanceof DeviceProblem && problem.code === 'NOT_FOUND'
    const { nothing, unread } = this.#context
    const remarks = [nothing.key, unread.key]
    const known = isGone ? [] : this.#entries.filter(({ key }) => !remarks.includes(key))
    this.#list.addClass('vision-stale')
    this.#context.failed(this.#list, problem instanceof Error ? problem.message : String(problem))
    this.#show(known.length ? known : [unread])
  }

  #show(entries: readonly TreeEntry[]): void {
    this.#entries = entries
    const { isHeld, isPointedAt, changed } = this.#context
    const byKey = new Map(entries.map((entry) => [entry.key, entry]))
    // The line under the mouse is removed when the mouse leaves it.
    const staying = [...this.#rows].filter(([key, row]) => !byKey.has(key) && isPointedAt(row.element))
    const gone = new Map(staying)
    for (const [key, row] of this.#rows) if (!byKey.has(key) && !gone.has(key)) row.remove()

    const rows = new Map(gone)
    for (const entry of entries) rows.set(entry.key, this.#row(entry))
    const shown = [...this.#rows.keys()]
    const order = isHeld() ? heldOrder(shown, [...byKey.keys(), ...gone.keys()]) : [...byKey.keys()]
    this.#rows.clear()
    let before: Element | null = null
    for (const key of order) {
      const row = rows.get(key)
      const [element] = row?.element.get() ?? []
      if (!row || !element) continue
      this.#rows.set(key, row)
      const next: Element | null = before
        ? before.nextElementSibling
        : (this.#list[0]?.firstElementChild ?? null)
      if (element !== next) this.#list[0]?.insertBefore(element, next)
      before = element
    }
    for (const entry of entries) if (entry.isOpen) this.#rows.get(entry.key)?.openFirst()
    changed()
  }

  /** The existing line of an entry, or a new one. */
  #row(entry: TreeEntry): RowView {
    const row = this.#rows.get(entry.key) ?? new RowView(entry, this.#level, this.#context)
    row.update(entry)
    return row
  }
}
