/** Milliseconds between two ticks. */
const beat = 250

/** Calls `tick` repeatedly while the element is actually visible. */
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
