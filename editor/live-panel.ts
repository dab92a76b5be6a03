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
  /** Beside the title. */
  state: JQuery
  /** Once: a rewritten live region is read aloud again. */
  say: (text: string) => void
}

/** Before the other sections; shows the deployed node while visible. */
export function livePanel<Snapshot>(
  { form }: Dialog,
  told: Translator,
  { pause, ask, show, clear, parts }: LivePanelParts<Snapshot>,
): LivePanel {
  const state = $('<span class="vision-plc-state">')
  const said = $('<div class="vision-hint" role="status">')
  const say = (text: string) => write(said, text)
  const details = $('<details class="vision-plc-panel">').append(
    $('<summary>').append($('<span>').text(told('title')), ' ', state),
    said,
    ...parts,
  )
  const first = form.children('details').first()
  if (first.length) details.insertBefore(first)
  else details.appendTo(form)
  details.on('toggle', () => RED.tray.resize())
  let isAsking = false
  let askedAt = -Infinity
  const [element] = details.get()
  if (element) whileVisible(element, () => inBackground(look()))
  return { details, state, say }

  async function look(): Promise<void> {
    if (isAsking || performance.now() < askedAt + pause) return
    isAsking = true
    try {
      show(await ask())
    } catch (error) {
      const problem = problemIn(error)
      write(state, problem && isNotDeployed(problem) ? told('notDeployed') : '')
      say(problem?.message ?? '')
      clear()
    } finally {
      isAsking = false
      askedAt = performance.now()
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
