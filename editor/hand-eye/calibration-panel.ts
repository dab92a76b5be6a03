import type { CalibrationSnapshot } from '../../nodes/hand-eye-calibration/snapshot'
import { stored, type Dialog } from '../dialog'
import { livePanel } from '../live-panel'
import { request } from '../request'
import type { Translator } from '../plc/translator'
import { doingText, driveView } from './drive-view'
import { errorsText } from './facts'
import { plotImage, showPlot } from './plot-image'

/** Milliseconds from one answer to the next request. */
const pause = 500

/** Shows the calibration under way of the deployed node in its dialog, and steers a robot that drives itself. */
export function calibrationPanel(dialog: Dialog, told: Translator): void {
  const { node, form } = dialog
  const at = `vision-devices/hand-eye/${encodeURIComponent(node.id)}`
  const plot = plotImage(told('coverage'))
  const view = driveView(told, (order, question) =>
    request('POST', `${at}/order`, { order, request: question }),
  )
  const { details, state, say } = livePanel<CalibrationSnapshot>(dialog, told, {
    ...{ pause, show, parts: [view.element, plot] },
    ask: async () => {
      const query = $.param({ theme: isDark(details) ? 'dark' : 'light' })
      return (await request('GET', `${at}?${query}`)) as CalibrationSnapshot
    },
    clear: () => {
      showPlot(plot, undefined)
      view.clear()
    },
  })
  details.addClass('vision-calibration')
  // Who has opened this dialog wants to know what the robot does, and to answer it.
  if (stored(node, 'drive') !== 'messages' && !node['changed']) details.prependTo(form).prop('open', true)

  function show(snapshot: CalibrationSnapshot): void {
    const { poses, ready, coverage, result, drive } = snapshot
    const changed = node['changed'] ? [told('changed')] : []
    view.show(drive)
    if (drive) {
      state.text(doingText(drive))
      say([...(drive.said === undefined ? [] : [drive.said]), ...changed].join(' '))
      showPlot(plot, undefined)
      return
    }
    state.text([told('poses', { count: poses }), ...(ready ? [told('ready')] : [])].join(', '))
    const outcome = result ? [told('result', { result: errorsText(result, told) })] : []
    say([...outcome, ...changed].join(' '))
    if (showPlot(plot, coverage)) RED.tray.resize()
  }
}

/** Whether the page has bright text, whatever theme it is. */
function isDark(element: JQuery): boolean {
  const [red = 0, green = 0, blue = 0] = (element.css('color').match(/\d+/g) ?? []).map(Number)
  return red + green + blue > 380
}
