import { draggable } from '../flow/drag'
import type { OpenBranch, TreeContext } from './context'
import type { TreeEntry, LineRemark } from './entry'
import { drawRow, fillRow } from './row'

/** Milliseconds for which the outcome of a change is shown. */
const saidFor = 10_000

const rows = new WeakMap<Element, RowView>()
/** The line of an item in the tree. */
export const rowOf = (item: Element): RowView | undefined => rows.get(item)

/** Whether the user has just selected a part of its text. */
const isSelecting = (line: JQuery): boolean => {
  const selection = getSelection()
  return selection?.isCollapsed === false && selection.containsNode(line[0] as Node, true)
}

/** One line of the tree, with its children once it has been opened. */
export class RowView {
  readonly element: JQuery
  entry: TreeEntry
  readonly #parts: ReturnType<typeof drawRow>
  readonly #level: number
  readonly #context: TreeContext
  #below: OpenBranch | undefined
  #silence: number | undefined

  constructor(entry: TreeEntry, level: number, context: TreeContext) {
    this.entry = entry
    this.#level = level
    this.#context = context
    this.#parts = drawRow(level)
    this.element = this.#parts.item
    const [item] = this.element.get()
    if (!item) throw new Error('no item')
    rows.set(item, this)
    const { line, more } = this.#parts
    // The first click of a double click opens, and the second does not close again.
    line.on('click', ({ detail }) => {
      context.focus(item)
      if (detail < 2 && !isSelecting(line)) this.open()
    })
    line.on('dblclick', () => this.edit())
    more.on('click', (event) => {
      event.stopPropagation()
      const { left, bottom } = event.currentTarget.getBoundingClientRect()
      context.menu(this, { left, top: bottom })
    })
    line.on('contextmenu', (event) => {
      event.preventDefault()
      context.focus(item)
      context.menu(this, { left: event.clientX, top: event.clientY })
    })
    draggable(line, () => this.entry.nodes?.[0])
  }

  get isOpen(): boolean {
    return this.element.attr('aria-expanded') === 'true'
  }

  update(entry: TreeEntry): void {
    this.entry = entry
    fillRow(this.#parts, entry)
    if (!entry.branch && !entry.panel) this.#close()
    else if (this.element.attr('aria-expanded') === undefined) this.element.attr('aria-expanded', 'false')
    if (entry.branch && this.#below) this.#below.branch = entry.branch
  }

  tick(): void {
    if (this.isOpen) this.#below?.tick()
  }

  hurry(): void {
    if (this.isOpen) this.#below?.hurry()
  }

  toggle(isOpen = !this.isOpen): void {
    const { branch, panel } = this.entry
    if (!branch && !panel) return
    this.element.attr('aria-expanded', String(isOpen))
    this.#parts.group.prop('hidden', !isOpen || !branch)
    this.#parts.panel.prop('hidden', !isOpen || !panel)
    if (isOpen && panel && !this.#parts.panel.children().length) this.#parts.panel.append(panel())
    if (isOpen && branch) {
      this.#below ??= this.#context.below(branch, this.#parts.group, this.#level + 1)
      this.#below.hurry()
      this.#below.tick()
    }
    this.#context.changed()
  }

  /** The action of a click: shows the children, or runs the action of the line. */
  open(): void {
    if (this.entry.branch ?? this.entry.panel) this.toggle()
    else if (!this.entry.edit) this.entry.act?.run()
  }

  /** The action of Enter. */
  enter(): void {
    if (this.entry.edit) this.edit()
    else this.open()
  }

  /** Opens it if it has never been opened. */
  openFirst(): void {
    if (!this.#below) this.toggle(true)
  }

  settle(): void {
    this.#below?.settle()
  }

  edit(): void {
    const { place } = this.#parts
    if (!this.entry.edit || place.children().length) return
    this.say()
    this.entry.edit(place, (said) => {
      place.empty()
      if (said) this.say(said)
      this.#context.focus(this.element[0] as HTMLElement)
    })
  }

  /** Shows below the line for a while how something has ended. */
  say(said?: LineRemark): void {
    clearTimeout(this.#silence)
    const { answer } = this.#parts
    answer.text(said?.text ?? '').attr('data-tone', said?.tone ?? null)
    if (said) answer[0]?.scrollIntoView({ block: 'nearest' })
    if (said) this.#silence = window.setTimeout(() => answer.empty(), saidFor)
  }

  remove(): void {
    clearTimeout(this.#silence)
    this.element.remove()
  }

  #close(): void {
    this.element.removeAttr('aria-expanded')
    this.#parts.group.empty().prop('hidden', true)
    this.#parts.panel.empty().prop('hidden', true)
    this.#below = undefined
  }
}
