/**
 * Draws rows anew without drawing over what a person types there: then it waits until the focus has left. The focus stays
 * where it was, by the `data-at` of its element. Nothing (`undefined`) is drawn at once.
 */
export function aroundFocus<Shown>(body: JQuery, draw: (shown: Shown | undefined) => void) {
  let waiting: Shown | undefined
  body.on('focusout', () => {
    setTimeout(() => {
      if (waiting !== undefined) show(waiting)
    })
  })
  return show

  function show(shown: Shown | undefined): void {
    const focused = focusIn(body)
    waiting = shown !== undefined && focused?.isTyping ? shown : undefined
    if (waiting !== undefined) return
    draw(shown)
    if (focused) body.find(`[data-at="${focused.at}"]`).trigger('focus')
  }
}

/** Where the focus is in the table, and whether a text is being changed there. */
function focusIn(body: JQuery): { at: string; isTyping: boolean } | undefined {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement) || !body[0]?.contains(activeElement)) return undefined
  const isTyping =
    activeElement instanceof HTMLInputElement && activeElement.value !== activeElement.defaultValue
  return { at: activeElement.dataset['at'] ?? '', isTyping }
}
