import { afterClick } from '../after-click'
import { numberIn } from './number-in'

interface Options {
  /** The line that shows how a text was understood. */
  line: JQuery
  /** The present unit of the field; undefined while it takes something other than a number. */
  unit: () => string | undefined
  /** Sets the control to the number in the unit of the field. */
  put: (text: string) => void
}

/**
 * Shows how a number with a unit or a decimal comma is understood, and stores that number when the user leaves the
 * control.
 */
export function understood(control: JQuery, { line, unit, put }: Options): void {
  const found = () => {
    const own = unit()
    return own === undefined ? undefined : numberIn(String(control.val()), own)
  }
  let shown = ''
  const show = (text: string) => {
    shown = text
    line.text(text)
  }

  control.on('input', () => {
    const now = found()
    show((now && 'value' in now && now.understood) || '')
    RED.tray.resize()
  })
  control.on('change', () => {
    const now = found()
    const text = String(control.val()).trim()
    if (!now || 'reason' in now || Number(text) === now.value) return
    const said = now.understood ?? ''
    put(String(now.value))
    if (said !== shown) afterClick(line, () => show(said))
  })
}

/** The line below a control, announced by screen readers. */
export const understoodLine = () => $('<div class="vision-hint vision-understood" role="status">')
