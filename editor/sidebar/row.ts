import { sharedText } from '../dialog'
import { draggable, type NewNode } from './flow'
import type { OpenBranch, TreeContext } from './tree'

/** Milliseconds for the outcome of a change. */
const remarkDuration = 10_000

const rows = new WeakMap<Element, RowView>()
export const rowOf = (item: Element): RowView | undefined => rows.get(item)

/** The user has just selected text. */
const isSelecting = (line: JQuery): boolean => {
  const selection = getSelection()
  return selection?.isCollapsed === false && selection.containsNode(line[0] as Node, true)
}

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
    // The first click of a double click opens; the second must not close.
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

  /** On a click: shows the children, or runs the action. */
  open(): void {
    if (this.entry.branch ?? this.entry.panel) this.toggle()
    else if (!this.entry.edit) this.entry.act?.run()
  }

  enter(): void {
    if (this.entry.edit) this.edit()
    else this.open()
  }

  openFirst(): void {
    if (!this.#below) this.toggle(true)
  }

  settle(): void {
    this.#below?.settle()
  }

  edit(): void {
    const { place } = this.#parts
    if (!this.entry.edit || place.children().length) return
    this.showRemark()
    this.entry.edit(place, (remark) => {
      place.empty()
      if (remark) this.showRemark(remark)
      this.#context.focus(this.element[0] as HTMLElement)
    })
  }

  showRemark(remark?: LineRemark): void {
    clearTimeout(this.#silence)
    const { answer } = this.#parts
    answer.text(remark?.text ?? '').attr('data-tone', remark?.tone ?? null)
    if (remark) answer[0]?.scrollIntoView({ block: 'nearest' })
    if (remark) this.#silence = window.setTimeout(() => answer.empty(), remarkDuration)
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

let count = 0

function drawRow(level: number) {
  const id = `vision-tree-${++count}`
  const twist = $('<span class="vision-twist" aria-hidden="true"><i class="fa fa-caret-right"></i></span>')
  const icon = $('<i class="vision-row-icon" aria-hidden="true">')
  const label = $('<span class="vision-row-label">')
  const about = $('<span class="vision-row-about">')
  const value = $('<span class="vision-row-value">')
  const text = $('<span class="vision-row-text">').attr('id', id).append(label, ' ', about, ' ', value)
  const more = $('<button type="button" class="vision-row-more" tabindex="-1">')
    .attr('aria-label', sharedText('sidebar.actions'))
    .append('<i class="fa fa-ellipsis-v" aria-hidden="true"></i>')
  const line = $('<div class="vision-row">').append(twist, icon, text, more)
  line.css('padding-left', `${(level - 1) * 14 + 2}px`)
  const inset = `${level * 14 + 16}px`
  const place = $('<div class="vision-row-edit">').css('padding-left', inset)
  const answer = $('<div class="vision-row-answer" role="status">').css('padding-left', inset)
  const panel = $('<div class="vision-row-panel" hidden>').css('padding-left', `${level * 14}px`)
  const group = $('<ul role="group" hidden>')
  const item = $('<li role="treeitem" tabindex="-1">')
    .attr({ 'aria-level': level, 'aria-labelledby': id })
    .append(line, place, answer, panel, group)
  return { item, line, twist, icon, label, about, value, more, place, answer, panel, group }
}

/** Changes only differences, so that selected or announced text is not disturbed. */
function fillRow(parts: ReturnType<typeof drawRow>, entry: TreeEntry): void {
  const { item, line, icon, label, about, value } = parts
  set(label, entry.label)
  set(about, entry.about ?? '')
  set(value, entry.value ?? '')
  icon.attr('class', `vision-row-icon${entry.icon ? ` fa fa-fw fa-${entry.icon}` : ''}`)
  item.attr('data-key', entry.key)
  line.attr({
    'data-tone': entry.tone ?? null,
    title: entry.description ?? null,
    draggable: entry.nodes?.length ? 'true' : null,
  })
  line
    .css('--vision-part', entry.part === undefined ? '' : String(entry.part))
    .toggleClass('vision-row-bar', entry.part !== undefined)
    .toggleClass('vision-row-wraps', entry.isText === true)
    .toggleClass('vision-row-single', entry.isLine === true)
    .toggleClass(
      'vision-row-opens',
      Boolean(entry.branch ?? entry.panel ?? (entry.edit ? undefined : entry.act)),
    )
    .toggleClass('vision-row-has-menu', hasMenu(entry))
}

const hasMenu = ({ act, edit, nodes }: TreeEntry): boolean => Boolean(act ?? edit ?? nodes?.length)

function set(element: JQuery, text: string) {
  if (element.text() !== text) element.text(text)
}

export type LineTone = 'good' | 'soon' | 'bad' | 'quiet'

export interface TreeEntry {
  /** Unique among its siblings, and constant. */
  key: string
  label: string
  /** At the end of the line. */
  value?: string
  /** After the label. */
  about?: string
  /** On hover. */
  description?: string
  /** Font Awesome, without `fa-`. */
  icon?: string
  tone?: LineTone
  /** Length of a histogram bar, up to 1. */
  part?: number
  isText?: boolean
  /** Truncated instead of wrapped. */
  isLine?: boolean
  isOpen?: boolean
  /** A sentence; listed among the problems. */
  problem?: string
  branch?: TreeBranch
  /** Content below the open line instead of children; created when first opened. */
  panel?: () => JQuery
  /** Nodes that can be created; dragging creates the first. */
  nodes?: readonly NewNode[]
  /** Below the line; on a double click or Enter. */
  edit?: LineEditor
  /** On a click or Enter if there is nothing to open; with a name for the menu. */
  act?: LineAction
}

export interface LineAction {
  name: string
  run: () => void
}

/** `done` closes it, with an optional remark. */
export type LineEditor = (place: JQuery, done: (remark?: LineRemark) => void) => void

export interface LineRemark {
  text: string
  tone: LineTone
}

export interface TreeBranch {
  /** Seconds between reads while open; missing: read once. */
  every?: number
  /** Rejects with a sentence. `again` repeats the read, for late content. */
  load: (again: () => void) => Promise<readonly TreeEntry[]>
}

export interface LineProblem {
  item: HTMLElement
  label: string
  text: string
}

export function troublesOf(tree: JQuery) {
  const failures = new Map<HTMLElement, string>()

  /** Without a problem, the list could be read. */
  function failed([list]: JQuery, problem?: string) {
    if (list && problem !== undefined) failures.set(list, problem)
    else if (list) failures.delete(list)
  }

  /** In the order of the lines; the problem of a line explains those below it. */
  function troubles(): LineProblem[] {
    for (const list of failures.keys()) if (!list.isConnected) failures.delete(list)
    return tree
      .children()
      .get()
      .flatMap((item) => {
        const { label = '', problem } = rowOf(item)?.entry ?? {}
        const below = [...failures].filter(([list]) => item.contains(list) && list.checkVisibility())
        if (problem) return [{ item, label, text: problem }]
        const texts = new Set(below.map(([, text]) => text))
        return [...[...texts].map((text) => ({ item, label, text })), ...inside(item, label)]
      })
  }

  const inside = (outer: HTMLElement, label: string) =>
    $(outer)
      .find('[role=treeitem]')
      .get()
      .flatMap((item): LineProblem[] => {
        const text = rowOf(item)?.entry.problem
        return text && item.checkVisibility() ? [{ item, label, text }] : []
      })

  return { failed, troubles }
}
