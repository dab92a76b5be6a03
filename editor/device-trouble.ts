import { afterClick } from './after-click'
import { forgetFailures } from './device-api'
import type { Dialog } from './dialog'
import { isNotDeployed, problemIn, type DeviceProblem } from './request'
import { sharedText } from './shared-text'

/** Milliseconds until the device is asked again; doubled after each failure in a row. */
const pause = { first: 1000, longest: 15_000 }

type IsTold = (problem: DeviceProblem) => boolean
type Await = (answer: Promise<unknown>, isTold: IsTold) => void

/** Keyed by form, because saving opens a dialog a second time. */
const troubles = new WeakMap<HTMLElement, Await>()

/**
 * Passes on an answer that a part of the dialog waits for. If there is none, the dialog says why, and triggers
 * `vision-refresh` after a while if the reason may pass, and on demand: every part that waits for answers listens to it.
 * @param isTold which problems the dialog says; by default all that are not shown at the field in question
 */
export function awaited<Answer>(
  { form, input }: Dialog,
  answer: Promise<Answer>,
  isTold: IsTold = isNoName,
): Promise<Answer> {
  const [element] = form.get()
  if (!element) return answer
  const wait = troubles.get(element) ?? deviceTrouble(form, input('device').closest('.form-row'))
  troubles.set(element, wait)
  wait(answer, isTold)
  return answer
}

/** Whether the reason may pass without anybody's doing in this dialog. */
export const isPassing: IsTold = (problem) => passing.has(problem.code) || isNotDeployed(problem)

const passing: ReadonlySet<DeviceProblem['code']> = new Set([
  'noServer',
  'failed',
  'UNREACHABLE',
  'TIMEOUT',
  'STARTING',
  'RATE_LIMITED',
  'BUSY',
  'ABORTED',
  'OUTCOME_UNKNOWN',
  'DEVICE_FAULT',
])

const isNoName: IsTold = (problem) => problem.code !== 'NOT_FOUND' || isNotDeployed(problem)

/** The line below the row of the device; in a dialog without one, at its top. */
function deviceTrouble(form: JQuery, row: JQuery): Await {
  const text = $('<span role="status">')
  const button = $('<button type="button" class="red-ui-button red-ui-button-small">')
    .text(sharedText('pick.again'))
    .on('click', () => {
      shown = sharedText('pick.asking')
      text.text(shown)
      again()
    })
  const line = $('<div class="vision-trouble" hidden>').append(text, ' ', button)
  if (row.length) line.insertAfter(row)
  else line.prependTo(form)
  let shown = ''
  let waiting = 0
  let problem: DeviceProblem | undefined
  let failures = 0
  let timer: number | undefined

  function again() {
    clearTimeout(timer)
    timer = undefined
    if (!form[0]?.isConnected) return
    forgetFailures()
    form.trigger('vision-refresh')
    // The parts ask in the same turn, or need nothing any more.
    setTimeout(() => {
      if (!waiting) ended()
    })
  }

  /** Called when no answer is outstanding any more. */
  function ended() {
    const told = problem
    problem = undefined
    if (!told) failures = 0
    else if (isPassing(told))
      timer ??= window.setTimeout(again, Math.min(pause.first * 2 ** failures++, pause.longest))
    say(told?.message ?? '')
  }

  function say(now: string) {
    if (now === shown) return
    shown = now
    afterClick(line, () => {
      text.text(shown)
      line.prop('hidden', !shown)
    })
  }

  return (answer, isTold) => {
    waiting++
    void answer
      .then(undefined, (failed: unknown) => {
        const found = problemIn(failed)
        if (found && isTold(found)) problem = found
      })
      .then(() => {
        if (--waiting === 0) ended()
      })
  }
}
