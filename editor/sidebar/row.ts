import { sharedText } from '../dialog'
import { draggable, type NewNode } from './flow'
import type { OpenBranch, TreeContext } from './tree'

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

let count = 0

/** Creates the parts of a line, which `fillRow` fills and updates. */
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

/** Changes only what differs, so that selected or announced text is not disturbed. */
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

/** Whether there is anything in its menu. */
const hasMenu = ({ act, edit, nodes }: TreeEntry): boolean => Boolean(act ?? edit ?? nodes?.length)

function set(element: JQuery, text: string) {
  if (element.text() !== text) element.text(text)
}

/** The colour of a line: of a state, of a log entry. */
export type LineTone = 'good' | 'soon' | 'bad' | 'quiet'

/** One line of the tree. */
export interface TreeEntry {
  /** Unique among its siblings, and constant when they are read again. */
  key: string
  label: string
  /** The present value, at the end of the line. */
  value?: string
  /** A few more words after the label. */
  about?: string
  /** Shown on hover. */
  description?: string
  /** Name of a Font Awesome icon, without `fa-`. */
  icon?: string
  tone?: LineTone
  /** A bar of a histogram behind the line: its length, up to 1. */
  part?: number
  /** Long texts wrap. */
  isText?: boolean
  /** Never wraps: truncated instead. */
  isLine?: boolean
  /** Initially open. */
  isOpen?: boolean
  /** What is wrong with it, in a sentence; listed among the problems, not here. */
  problem?: string
  /** Its children. */
  branch?: TreeBranch
  /** What is shown below it instead of children once it is open; created when it is opened for the first time. */
  panel?: () => JQuery
  /** The nodes that can be created from it; dragging creates the first one. */
  nodes?: readonly NewNode[]
  /** Edits its value in an editor below the line; started by a double click or Enter. */
  edit?: LineEditor
  /** The action of a click or Enter if there is nothing to open, with its name for the menu. */
  act?: LineAction
}

export interface LineAction {
  name: string
  run: () => void
}

/** Fills `place` with a control; `done` closes it, with an optional remark. */
export type LineEditor = (place: JQuery, done: (said?: LineRemark) => void) => void

export interface LineRemark {
  text: string
  tone: LineTone
}

export interface TreeBranch {
  /** Seconds between two reads while it is open; if missing, it is read only when it is opened. */
  every?: number
  /** Rejects with a sentence if there is nothing. `again` causes another read, for content that arrives later. */
  load: (again: () => void) => Promise<readonly TreeEntry[]>
}

/** A problem in the tree, with the line that it concerns. */
export interface LineProblem {
  item: HTMLElement
  /** Label of the outermost line. */
  label: string
  text: string
}

/** Collects the problems of the lines in a tree, so that they can be shown in an area of their own. */
export function troublesOf(tree: JQuery) {
  const failures = new Map<HTMLElement, string>()

  /** Notes why a list could not be read, or that it could. */
  function failed([list]: JQuery, problem?: string) {
    if (list && problem !== undefined) failures.set(list, problem)
    else if (list) failures.delete(list)
  }

  /** In the order of the lines. The problem of a line explains the failures below it. */
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

  /** The problems of the visible lines in an outermost one. */
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
