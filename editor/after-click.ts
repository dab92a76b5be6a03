/** Milliseconds within which the click that leaves a field reaches its button. */
const aClick = 200

/**
 * Delays changes to the rows of a dialog until after the click that has left a field; otherwise its button would move
 * away from under the mouse.
 */
export function afterClick(element: JQuery, move: () => void): void {
  setTimeout(() => {
    if (!element[0]?.isConnected) return
    move()
    RED.tray.resize()
  }, aClick)
}
