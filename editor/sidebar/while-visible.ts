/** Milliseconds between two beats. */
const beat = 250

/** Calls `tick` again and again while the element is really seen, and not at all otherwise. */
export function whileVisible(element: HTMLElement, tick: () => void): void {
  let isShown = false
  let timer: number | undefined
  const update = () => {
    const isSeen = isShown && !document.hidden
    if (isSeen === (timer !== undefined)) return
    clearInterval(timer)
    timer = isSeen ? window.setInterval(tick, beat) : undefined
    if (isSeen) tick()
  }
  new IntersectionObserver((changes) => {
    isShown = changes.at(-1)?.isIntersecting ?? false
    update()
  }).observe(element)
  document.addEventListener('visibilitychange', update)
}
