/** Changes that wait for the end of the click that is under way. */
const waiting: (() => void)[] = []
let isPressed = false

// A pointer goes down before the field that had the focus hears of its change.
if (typeof document !== 'undefined') {
  document.addEventListener('pointerdown', () => (isPressed = true), true)
  for (const end of ['pointerup', 'pointercancel'] as const) document.addEventListener(end, released, true)
}

function released(): void {
  isPressed = false
  // The click itself follows in the same turn.
  setTimeout(() => {
    for (const change of waiting.splice(0)) change()
  })
}

/**
 * Delays changes to the rows of a dialog until after the click that has left a field; otherwise its button would move
 * away from under the mouse.
 */
export function afterClick(element: JQuery, move: () => void): void {
  const change = () => {
    if (!element[0]?.isConnected) return
    move()
    RED.tray.resize()
  }
  if (isPressed) waiting.push(change)
  else setTimeout(change)
}
