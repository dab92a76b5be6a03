import { sharedText } from '../../shared-text'
import { addToFlow } from '../flow/add-to-flow'
import { nodeName } from '../flow/new-node'
import type { TreeLine } from './context'
import type { LineAction } from './entry'

/** The menu of a line, for mouse and keyboard; `closed` gets the focus back. */
export function openMenu(row: TreeLine, { left, top }: { left: number; top: number }, closed: () => void) {
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
