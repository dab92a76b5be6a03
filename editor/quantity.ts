import { quantity } from '../lib/contract/reading/quantity'
import { afterClick, type Dialog, fieldOf, inputOf, sharedText } from './dialog'

/** Numbers with a unit or a decimal comma, stored in the unit of the field. */
export function quantityFields({ node, form, fields, input }: Dialog) {
  for (const field of fields) {
    const element = input(field)
    if (!element.is('[inputmode]')) continue
    showChosenUnit(element, input)
    const line = understoodLine().appendTo(element.closest('.form-row'))
    understood(element, {
      line,
      unit: () => unitOf(node, field),
      put: (text) => {
        element.val(text)
        form.trigger('change')
      },
    })
  }
}

/** The unit of another field (`data-unit-from`), as soon as it is selected. */
function showChosenUnit(element: JQuery, input: (field: string) => JQuery): void {
  const from = element.attr('data-unit-from')
  if (!from) return
  const choice = input(from)
  const show = () => element.siblings('.vision-unit').text(String(choice.val() ?? ''))
  choice.on('change', show)
  show()
}

interface Options {
  line: JQuery
  /** Undefined while the field takes other values. */
  unit: () => string | undefined
  /** In the unit of the field. */
  put: (text: string) => void
}

/** Shows how a number is read, and stores it when the user leaves the control. */
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
    const announced = now.understood ?? ''
    put(String(now.value))
    if (announced !== shown) afterClick(line, () => show(announced))
  })
}

/** Announced by screen readers. */
export const understoodLine = () => $('<div class="vision-hint vision-understood" role="status">')

type NumberIn = { value: number; understood?: string } | { reason: string }

/** @param unit empty for a plain number */
export function numberIn(text: string, unit: string): NumberIn {
  const found = quantity(text, unit)
  if ('value' in found) return found
  if (found.refused === 'number') return { reason: sharedText('reason.number') }
  if (found.refused === 'readings') {
    const [one, other] = found.readings
    return { reason: sharedText('reason.readings', { text: text.trim(), one, other }) }
  }
  const { given, units } = found
  return {
    reason: units.length
      ? sharedText('reason.unit', { given, units: units.join(', ') })
      : sharedText('reason.noUnit', { given }),
  }
}

/** From `data-unit="s"` or `data-unit-from="gridUnit"`; empty for a plain number. */
export function unitOf(node: EditorNode, field: string): string {
  const element = inputOf(node, field)
  const other = element.attr('data-unit-from')
  return other ? fieldOf(node, other) : (element.attr('data-unit') ?? '')
}
