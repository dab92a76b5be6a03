import type { CalibrationSnapshot } from '../../nodes/hand-eye-calibration/snapshot'
import type { Dialog } from '../dialog'
import { livePanel } from '../live-panel'
import { request } from '../request'
import type { Translator } from '../plc/translator'

/** Milliseconds from one answer to the next request. */
const pause = 1000

/** Shows the calibration under way of the deployed node in its dialog, while that is visible. */
export function calibrationPanel(dialog: Dialog, told: Translator): void {
  const { node } = dialog
  const plot = $('<img class="vision-plot" hidden>').attr('alt', told('coverage'))
  const { details, state, say } = livePanel<CalibrationSnapshot>(dialog, told, {
    ...{ pause, show, parts: [plot] },
    ask: async () => {
      const query = $.param({ theme: isDark(details) ? 'dark' : 'light' })
      const url = `vision-devices/hand-eye/${encodeURIComponent(node.id)}?${query}`
      return (await request('GET', url)) as CalibrationSnapshot
    },
    clear: () => plot.prop('hidden', true),
  })
  details.addClass('vision-calibration')

  function show({ poses, ready, coverage, result }: CalibrationSnapshot): void {
    state.text([told('poses', { count: poses }), ...(ready ? [told('ready')] : [])].join(', '))
    say([...(result ? [resultText(result)] : []), ...(node['changed'] ? [told('changed')] : [])].join(' '))
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

/** Whether the page has bright text, whatever theme it is. */
function isDark(element: JQuery): boolean {
  const [red = 0, green = 0, blue = 0] = (element.css('color').match(/\d+/g) ?? []).map(Number)
  return red + green + blue > 380
}
