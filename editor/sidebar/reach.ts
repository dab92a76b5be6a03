const action = 'vision:show-devices'
/** Free in Node-RED 4.1 and 5.0; K as in German Kamera, because C, D and V are taken. */
const key = 'ctrl-g k'

/**
 * Makes the tab reachable where it is hidden, as on small screens: by an action, which Node-RED lists, by a key, which
 * users may change, and by the entry in the menu *View*, which shows the key.
 */
export function reachable(tab: string, name: string, show: () => void): void {
  RED.actions.add(action, show, { label: name })
  RED.keyboard.add('*', key, action)
  // Node-RED has added one that shows no key.
  const entry = `menu-item-view-menu-${tab}`
  RED.menu.removeItem(entry)
  RED.menu.addItem('menu-item-view-menu', { id: entry, label: name, onselect: action, group: 'sidebar-tabs' })
}

export function unreachable(): void {
  RED.keyboard.remove(key)
  RED.actions.remove(action)
}
