import { BranchView } from './branch-view'
import type { TreeLine, TreeContext } from './context'
import type { TreeBranch, TreeEntry } from './entry'
import { openMenu } from './menu'
import { rowOf, type RowView } from './row-view'
import { steady } from './steady'
import { troublesOf, type LineProblem } from './troubles'

export interface TreeView {
  element: JQuery
  /** The problems of visible lines, in the order of the lines. */
  troubles: () => LineProblem[]
  /** Moves the focus to a line. */
  focus: (item: HTMLElement) => void
  /** Moves the focus to the first line. */
  enter: () => void
  /** Reads what is due; to be called repeatedly while the tree is visible. */
  tick: () => void
  /** Reads everything at once. */
  hurry: () => void
  /** Shows something else, such as search results: no line needs to stay in place. */
  renew: () => void
  /** Starts again, collapsed. */
  clear: () => void
}

interface Options {
  name: string
  nothing: TreeEntry
  unread: TreeEntry
  /** The element that scrolls the tree. */
  pane: JQuery
  /** Called when lines were added, removed or changed. */
  changed: () => void
}

/** A tree for mouse and keyboard that follows the ARIA practices; only open branches are read. */
export function tree(root: TreeBranch, { name, nothing, unread, pane, changed: told }: Options): TreeView {
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

  /** Exactly one item can be reached with Tab. */
  function changed() {
    told()
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
