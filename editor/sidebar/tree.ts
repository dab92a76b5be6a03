import { DeviceProblem } from '../device-api'
import { inBackground, sharedText } from '../dialog'
import { addToFlow, nodeName } from './flow'
import {
  type LineAction,
  type TreeBranch,
  type TreeEntry,
  rowOf,
  RowView,
  type LineProblem,
  troublesOf,
} from './row'

interface TreeView {
  element: JQuery
  troubles: () => LineProblem[]
  focus: (item: HTMLElement) => void
  enter: () => void
  /** Reads what is due; called repeatedly while visible. */
  tick: () => void
  hurry: () => void
  /** Other content, such as search results: no line stays in place. */
  renew: () => void
  /** Collapsed. */
  clear: () => void
}

interface Options {
  name: string
  nothing: TreeEntry
  unread: TreeEntry
  pane: JQuery
  changed: () => void
}

/** Mouse and keyboard, by the ARIA practices; only open branches are read. */
export function tree(
  root: TreeBranch,
  { name, nothing, unread, pane, changed: onChange }: Options,
): TreeView {
  const element = $('<ul role="tree" class="vision-tree">').attr('aria-label', name).appendTo(pane)
  const { failed, troubles } = troublesOf(element)
  let current: HTMLElement | undefined

  const place = steady(pane[0] as HTMLElement, element[0] as HTMLElement, () => view.settle())
  const context: TreeContext = {
    ...{ changed, focus, menu, nothing, unread, below, failed },
    isHeld: () => place.isHeld,
    isPointedAt: ([item]) => item !== undefined && place.holds(item),
  }
  const view = below(root, element, 1)

  function below(branch: TreeBranch, list: JQuery, level: number) {
    return new BranchView(branch, list, level, context)
  }

  /** Exactly one item is reached with Tab. */
  function changed() {
    onChange()
    if (current?.isConnected && current.checkVisibility()) return
    current?.setAttribute('tabindex', '-1')
    current = seen()[0]
    current?.setAttribute('tabindex', '0')
  }

  function focus(item: HTMLElement) {
    current?.setAttribute('tabindex', '-1')
    current = item
    item.setAttribute('tabindex', '0')
    item.focus({ preventScroll: true })
    item.querySelector('.vision-row')?.scrollIntoView({ block: 'nearest' })
  }

  const seen = () =>
    element
      .find('[role=treeitem]')
      .get()
      .filter((item) => item.checkVisibility())

  function menu(row: TreeLine, at: { left: number; top: number }) {
    openMenu(row, at, () => focus(row.element[0] as HTMLElement))
  }

  function move(step: number) {
    const items = seen()
    const at = items.indexOf(current as HTMLElement)
    const next = items[Math.min(Math.max(at + step, 0), items.length - 1)]
    if (next) focus(next)
  }

  const keys: Record<string, (row: RowView, item: HTMLElement) => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Home: () => move(-Infinity),
    End: () => move(Infinity),
    ArrowRight: (row) => (row.isOpen ? move(1) : row.toggle(true)),
    ArrowLeft: (row, item) => {
      const [above] = $(item).parent().closest('[role=treeitem]').get()
      if (row.isOpen) row.toggle(false)
      else if (above) focus(above)
    },
    Enter: (row) => row.enter(),
    ' ': (row) => row.toggle(),
    F2: (row) => row.edit(),
    ContextMenu: openAtItem,
  }

  function openAtItem(row: RowView, item: HTMLElement) {
    const { left = 0, bottom = 0 } = item.querySelector('.vision-row-text')?.getBoundingClientRect() ?? {}
    menu(row, { left, top: bottom })
  }

  element.on('keydown', (event) => {
    const item = event.target
    const row = rowOf(item)
    // Keys in an editor below a line are not for the tree.
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key === 'F10' && event.shiftKey ? 'ContextMenu' : event.key
    const act = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act(row, item)
  })

  return {
    ...{ element, troubles, focus },
    enter: () => {
      const [first] = seen()
      if (first) focus(first)
    },
    tick: () => view.tick(),
    hurry: () => view.hurry(),
    renew: () => {
      place.release()
      view.hurry()
    },
    clear: () => view.clear(),
  }
}

/** After a failed read. */
const pauseAfterFailure = 3

class BranchView {
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

  /** Newly read by its parent. */
  set branch(branch: TreeBranch) {
    this.#branch = branch
  }

  /** At the next tick. */
  hurry(): void {
    this.#due = 0
    for (const row of this.#rows.values()) row.hurry()
  }

  /** Collapses and drops the content; read again at the next tick. */
  clear(): void {
    this.#context.failed(this.#list)
    this.#show([])
    this.#due = 0
  }

  /** Applies changes of order that waited while the user was among the lines. */
  settle(): void {
    this.#show(this.#entries)
    for (const row of this.#rows.values()) row.settle()
  }

  tick(): void {
    if (!this.#isLoading && Date.now() >= this.#due) inBackground(this.#load())
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

  /** The last content stays, marked as out of date; missing lines are removed. */
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

  #row(entry: TreeEntry): RowView {
    const row = this.#rows.get(entry.key) ?? new RowView(entry, this.#level, this.#context)
    row.update(entry)
    return row
  }
}

/** `closed` gets the focus back. */
function openMenu(row: TreeLine, { left, top }: { left: number; top: number }, closed: () => void) {
  const acts = actsOf(row)
  if (!acts.length) return
  $('.vision-menu').remove()
  const menu = $('<ul role="menu" class="vision-menu">').attr('aria-label', row.entry.label).appendTo('body')
  const items = acts.map(({ name, run }) =>
    $('<li role="menuitem" tabindex="-1">')
      .text(name)
      .on('click', () => {
        close()
        run()
      })
      .appendTo(menu),
  )
  const { innerWidth, innerHeight } = window
  menu.css({
    left: Math.max(0, Math.min(left, innerWidth - (menu.outerWidth() ?? 0) - 4)),
    top: Math.max(0, Math.min(top, innerHeight - (menu.outerHeight() ?? 0) - 4)),
  })
  items[0]?.trigger('focus')

  function close() {
    menu.off().remove()
    closed()
  }
  function move(step: number) {
    const at = items.findIndex((item) => item.is(':focus'))
    items[(at + step + items.length) % items.length]?.trigger('focus')
  }
  menu.on('keydown', ({ key }) => {
    if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Enter' || key === ' ') menu.find(':focus').trigger('click')
    else if (key === 'Escape' || key === 'Tab') close()
    return false
  })
  menu.on('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && menu[0]?.contains(relatedTarget))) menu.off().remove()
  })
}

function actsOf(row: TreeLine): LineAction[] {
  const { edit, act, nodes = [] } = row.entry
  return [
    ...(edit ? [{ name: sharedText('sidebar.edit'), run: () => row.edit() }] : []),
    ...(act ? [act] : []),
    ...nodes.map((node) => ({
      name: sharedText('sidebar.add', { node: nodeName(node.type) }),
      run: () => addToFlow(node),
    })),
  ]
}

/** Visible lines keep their order while the user is among them; a new one follows its predecessor. */
function heldOrder(shown: readonly string[], newOrder: readonly string[]): string[] {
  const remaining = new Set(newOrder)
  const order = shown.filter((key) => remaining.delete(key))
  for (const [at, key] of newOrder.entries()) {
    if (!remaining.has(key)) continue
    const before = newOrder[at - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key)
  }
  return order
}

/** Keeps the line under the mouse in place while other lines change. */
interface SteadyLines {
  /** Mouse or keyboard are among the lines. */
  readonly isHeld: boolean
  /** The line under the mouse is in this element. */
  holds: (element: Element) => boolean
  /** Other content will be shown. */
  release: () => void
}

/** @param released mouse and keyboard have left; lines may move */
function steady(pane: HTMLElement, lines: HTMLElement, released: () => void): SteadyLines {
  let mouse: { x: number; y: number } | undefined
  let line: Element | undefined
  let top = 0

  const isHeld = () => mouse !== undefined || lines.contains(document.activeElement)

  function note(target: Element | null) {
    line = target?.closest('.vision-row') ?? undefined
    top = line?.getBoundingClientRect().top ?? 0
  }

  function leave() {
    mouse = undefined
    line = undefined
    // Padding that held the line where scrolling could not.
    pane.style.removeProperty('padding-top')
    pane.style.removeProperty('padding-bottom')
    if (!isHeld()) released()
  }

  /** A drag starts at the pressed line; no line may move before it ends. */
  function leaveAfterPress() {
    const ended = new AbortController()
    const end = () => {
      ended.abort()
      leave()
    }
    for (const event of ['dragend', 'mouseup'])
      document.addEventListener(event, end, { signal: ended.signal })
  }

  /** Downwards, pixels. */
  const moved = () => (line?.isConnected ? line.getBoundingClientRect().top - top : 0)

  /** By scrolling, otherwise with padding. */
  function putBack() {
    const down = moved()
    if (!down) return
    const target = pane.scrollTop + down
    if (target < 0) widen('padding-top', -target)
    else widen('padding-bottom', target - (contentHeight() - pane.clientHeight))
    pane.scrollTop = Math.max(target, 0)
  }

  function widen(side: 'padding-top' | 'padding-bottom', pixels: number) {
    if (pixels > 0) pane.style.setProperty(side, `${padding(side) + pixels}px`)
  }

  const padding = (side: string) => parseFloat(getComputedStyle(pane).getPropertyValue(side))
  const contentHeight = () => lines.offsetHeight + padding('padding-top') + padding('padding-bottom')

  pane.addEventListener('mousemove', ({ target, clientX: x, clientY: y }) => {
    mouse = { x, y }
    note(target as Element)
  })
  pane.addEventListener('mouseleave', ({ buttons }) => {
    if (buttons === 0) leave()
    else leaveAfterPress()
  })
  // A user on the keyboard no longer looks at the mouse position.
  lines.addEventListener('keydown', () => (line = undefined))
  lines.addEventListener('focusout', ({ relatedTarget }) => {
    const isOutside = !(relatedTarget instanceof Node && lines.contains(relatedTarget))
    if (isOutside && mouse === undefined) released()
  })
  pane.addEventListener('scroll', () => {
    if (mouse && line) note(document.elementFromPoint(mouse.x, mouse.y))
  })
  // Between layout and painting: the line is never seen in the wrong place.
  const observer = new ResizeObserver(putBack)
  observer.observe(lines)

  return {
    get isHeld() {
      return isHeld()
    },
    holds: (element) => line !== undefined && element.contains(line),
    release: leave,
  }
}

export interface TreeContext {
  /** Lines were added or removed. */
  changed: () => void
  focus: (item: HTMLElement) => void
  menu: (line: TreeLine, at: { left: number; top: number }) => void
  below: (branch: TreeBranch, list: JQuery, level: number) => OpenBranch
  /** For an empty branch. */
  nothing: TreeEntry
  /** For a branch that was not read yet. */
  unread: TreeEntry
  /** Undefined: the list could be read. */
  failed: (list: JQuery, problem?: string) => void
  /** Mouse or keyboard are among the lines: their order stays. */
  isHeld: () => boolean
  /** The line under the mouse is in this one. */
  isPointedAt: (item: JQuery) => boolean
}

interface TreeLine {
  readonly element: JQuery
  readonly entry: TreeEntry
  edit: () => void
}

export interface OpenBranch {
  /** Newly read by its parent. */
  branch: TreeBranch
  /** At the next tick. */
  hurry: () => void
  tick: () => void
  settle: () => void
}
