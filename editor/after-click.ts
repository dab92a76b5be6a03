/** Milliseconds in which the click that has left a field reaches its button. */
const aClick = 200

/** Does what moves the rows of a dialog only after the click that has left a field: its button would move away from it. */
export function afterClick(element: JQuery, move: () => void): void {
  setTimeout(() => {
    if (!element[0]?.isConnected) return
    move()
    RED.tray.resize()
  }, aClick)
}
