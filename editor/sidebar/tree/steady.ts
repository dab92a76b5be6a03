/** Knows which line is under the mouse, and keeps it there while lines above it are added, removed or resized. */
export interface SteadyLines {
  /** Whether mouse or keyboard are among the lines. */
  readonly isHeld: boolean
  /** Whether the line under the mouse is, or is in, this element. */
  holds: (element: Element) => boolean
  /** Releases all lines, because something else will be shown. */
  release: () => void
}

/** @param released called when mouse and keyboard have left, and lines may move again */
export function steady(pane: HTMLElement, lines: HTMLElement, released: () => void): SteadyLines {
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

  /** A drag takes the line where the button was pressed, so no line may move before it ends. */
  function leaveAfterPress() {
    const ended = new AbortController()
    const end = () => {
      ended.abort()
      leave()
    }
    for (const event of ['dragend', 'mouseup'])
      document.addEventListener(event, end, { signal: ended.signal })
  }

  /** How far the line has moved down, in pixels. */
  const moved = () => (line?.isConnected ? line.getBoundingClientRect().top - top : 0)

  /** By scrolling, or with padding above or below if scrolling is not sufficient. */
  function putBack() {
    const down = moved()
    if (!down) return
    const wanted = pane.scrollTop + down
    if (wanted < 0) widen('padding-top', -wanted)
    else widen('padding-bottom', wanted - (contentHeight() - pane.clientHeight))
    pane.scrollTop = Math.max(wanted, 0)
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
  // A user who continues by keyboard no longer looks at the mouse position.
  lines.addEventListener('keydown', () => (line = undefined))
  lines.addEventListener('focusout', ({ relatedTarget }) => {
    const isOutside = !(relatedTarget instanceof Node && lines.contains(relatedTarget))
    if (isOutside && mouse === undefined) released()
  })
  pane.addEventListener('scroll', () => {
    if (mouse && line) note(document.elementFromPoint(mouse.x, mouse.y))
  })
  // Runs after layout and before painting: the line is never seen in the wrong place.
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
