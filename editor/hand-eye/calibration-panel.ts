import type { CalibrationSnapshot } from '../../nodes/hand-eye-calibration/snapshot'
import type { Dialog } from '../dialog'
import { problemIn, request } from '../request'
import { whileVisible } from '../while-visible'
import type { Translator } from '../plc/translator'

/** Milliseconds from one answer to the next request. */
const pause = 1000

/** Shows the calibration under way of the deployed node in its dialog, while that is visible. */
export function calibrationPanel({ node, form }: Dialog, told: Translator): void {
  const state = $('<span class="vision-plc-state">')
  const said = $('<div class="vision-hint" role="status">')
  const plot = $('<img class="vision-plot" hidden>').attr('alt', told('coverage'))
  const details = $('<details class="vision-plc-panel vision-calibration">').append(
    $('<summary>').append($('<span>').text(told('title')), ' ', state),
    said,
    plot,
  )
  const first = form.children('details').first()
  if (first.length) details.insertBefore(first)
  else details.appendTo(form)
  details.on('toggle', () => RED.tray.resize())
  let isAsking = false
  let askedAt = -Infinity
  const [element] = details.get()
  if (element) whileVisible(element, () => void look())

  async function look(): Promise<void> {
    if (isAsking || performance.now() < askedAt + pause) return
    isAsking = true
    try {
      const query = $.param({ theme: isDark(details) ? 'dark' : 'light' })
      const url = `vision-devices/hand-eye/${encodeURIComponent(node.id)}?${query}`
      show((await request('GET', url)) as CalibrationSnapshot)
    } catch (error) {
      const problem = problemIn(error)
      set(state, problem?.code === 'NOT_FOUND' ? told('notDeployed') : '')
      set(said, problem?.message ?? '')
      plot.prop('hidden', true)
    } finally {
      isAsking = false
      askedAt = performance.now()
    }
  }

  function show({ poses, ready, coverage, result }: CalibrationSnapshot): void {
    set(state, [told('poses', { count: poses }), ...(ready ? [told('ready')] : [])].join(', '))
    const lines = [...(result ? [resultText(result)] : []), ...(node['changed'] ? [told('changed')] : [])]
    set(said, lines.join(' '))
    const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(coverage)}`
    if (plot.attr('src') === source && !plot.prop('hidden')) return
    plot.attr('src', source).prop('hidden', false)
    RED.tray.resize()
  }

  const resultText = ({ good, errors, limits }: NonNullable<CalibrationSnapshot['result']>) =>
    told('result', {
      millimetres: inShort(errors.millimetres),
      degrees: inShort(errors.degrees),
      limitMillimetres: limits.millimetres,
      limitDegrees: limits.degrees,
      judgement: told(good ? 'good' : 'bad'),
    })
}

const inShort = (value: number | undefined) => (value === undefined ? '?' : Number(value.toPrecision(3)))

/** Says it once: a live region that is written again is read aloud again. */
function set(element: JQuery, text: string): void {
  if (element.text() !== text) element.text(text)
}

/** Whether the page has bright text, whatever theme it is. */
function isDark(element: JQuery): boolean {
  const [red = 0, green = 0, blue = 0] = (element.css('color').match(/\d+/g) ?? []).map(Number)
  return red + green + blue > 380
}
