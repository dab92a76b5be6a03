/** Knows which line is under the mouse, and keeps it there whatever comes, goes or grows above it. */
export interface SteadyLines {
  /** Mouse or keyboard are among the lines. */
  readonly isHeld: boolean
  /** Whether the line under the mouse is this element or lies in it. */
  holds: (element: Element) => boolean
  /** Lets go of all lines, as something else is to be shown. */
  release: () => void
}

/** @param released is called when mouse and keyboard have left, and lines may change places again */
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
    // Room that held the line, where scrolling could not.
    pane.style.removeProperty('padding-top')
    pane.style.removeProperty('padding-bottom')
    if (!isHeld()) released()
  }

  /** A drag that begins now takes what lies where the button went down, so no line may move before its end. */
  function leaveAfterPress() {
    const ended = new AbortController()
    const end = () => {
      ended.abort()
      leave()
    }
    for (const event of ['dragend', 'mouseup'])
      document.addEventListener(event, end, { signal: ended.signal })
  }

  /** How far the line has gone down, in pixels. */
  const moved = () => (line?.isConnected ? line.getBoundingClientRect().top - top : 0)

  /** By scrolling, and where there is too little to scroll by, with room above or below. */
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
  // Who goes on by keyboard looks elsewhere than the mouse, which lies where it was left.
  lines.addEventListener('keydown', () => (line = undefined))
  lines.addEventListener('focusout', ({ relatedTarget }) => {
    const isOutside = !(relatedTarget instanceof Node && lines.contains(relatedTarget))
    if (isOutside && mouse === undefined) released()
  })
  pane.addEventListener('scroll', () => {
    if (mouse && line) note(document.elementFromPoint(mouse.x, mouse.y))
  })
  // It tells after the layout and before the picture: nobody sees the line where it does not stay.
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
