import { inBackground } from './dialog'
import type { Dialog } from './dialog'
import type { Translator } from './texts'
import { isNotDeployed, problemIn } from './device-api'

/** What a live panel asks for and shows. */
interface LivePanelParts<Snapshot> {
  /** Milliseconds from one answer to the next request. */
  pause: number
  ask: () => Promise<Snapshot>
  show: (snapshot: Snapshot) => void
  /** The deployed node cannot be asked: nothing is to be shown but the reason. */
  clear: () => void
  parts: readonly JQuery[]
}

/** A section of a dialog that shows its deployed node. */
interface LivePanel {
  details: JQuery
  /** What stands beside the title. */
  state: JQuery
  /** Says it once: a live region that is written again is read aloud again. */
  say: (text: string) => void
}

/** Adds a section, before the others, that shows the deployed node as it is now, while that is visible. */
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
