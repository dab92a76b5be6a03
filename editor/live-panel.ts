import { inBackground } from './dialog'
import type { Dialog } from './dialog'
import type { Translator } from './texts'
import { isNotDeployed, problemIn } from './device-api'

interface LivePanelParts<Snapshot> {
  /** Milliseconds between an answer and the next request. */
  pause: number
  ask: () => Promise<Snapshot>
  show: (snapshot: Snapshot) => void
  /** Shows only the reason why the deployed node cannot be queried. */
  clear: () => void
  parts: readonly JQuery[]
}

interface LivePanel {
  details: JQuery
  state: JQuery
  /** Once: a rewritten live region is read aloud again. */
  announce: (text: string) => void
}

/** Before the other sections; shows the deployed node while visible. */
export function livePanel<Snapshot>(
  { form }: Dialog,
  translate: Translator,
  { pause, ask, show, clear, parts }: LivePanelParts<Snapshot>,
): LivePanel {
  const state = $('<span class="vision-plc-state">')
  const region = $('<div class="vision-hint" role="status">')
  const announce = (text: string) => write(region, text)
  const details = $('<details class="vision-plc-panel">').append(
    $('<summary>').append($('<span>').text(translate('title')), ' ', state),
    region,
    ...parts,
  )
  const first = form.children('details').first()
  if (first.length) details.insertBefore(first)
  else details.appendTo(form)
  details.on('toggle', () => RED.tray.resize())
  let isAsking = false
  let requestedAt = -Infinity
  const [element] = details.get()
  if (element) whileVisible(element, () => inBackground(refresh()))
  return { details, state, announce }

  async function refresh(): Promise<void> {
    if (isAsking || performance.now() < requestedAt + pause) return
    isAsking = true
    try {
      show(await ask())
    } catch (error) {
      const problem = problemIn(error)
      write(state, problem && isNotDeployed(problem) ? translate('notDeployed') : '')
      announce(problem?.message ?? '')
      clear()
    } finally {
      isAsking = false
      requestedAt = performance.now()
    }
  }
}

function write(element: JQuery, text: string): void {
  if (element.text() !== text) element.text(text)
}

/** Milliseconds between ticks. */
const beat = 250

/** While the element is actually visible. */
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
