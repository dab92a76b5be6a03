import { sharedText } from '../shared-text'
import { jsonIn } from './leaf-reason'
import { isObject } from '../is-object'

interface JsonView {
  element: JQuery
  show: (value: Record<string, unknown>) => void
}

/** The values of a form as editable JSON. */
export function jsonView(
  value: Readonly<Record<string, unknown>>,
  changed: (value: Record<string, unknown>) => void,
): JsonView {
  const element = $('<details class="vision-form-side vision-form-json">')
  $('<summary>').text(sharedText('form.asJson')).appendTo(element)
  const area = $('<textarea spellcheck="false">')
    .attr('aria-label', sharedText('form.asJson'))
    .appendTo(element)
  $('<div class="vision-form-about">').text(sharedText('form.jsonHint')).appendTo(element)
  const line = $('<div class="vision-form-reason" role="status">').appendTo(element)
  element.on('toggle', () => RED.tray.resize())
  show(value)

  area.on('input', () => {
    const typed = jsonIn(String(area.val()))
    line.text(isObject(typed) ? '' : sharedText('reason.object'))
    area.attr('aria-invalid', isObject(typed) ? null : 'true')
    if (isObject(typed)) changed(typed)
  })

  function show(now: Readonly<Record<string, unknown>>) {
    const text = JSON.stringify(now, null, 2)
    line.text('')
    area.attr('aria-invalid', null).val(text)
    area.attr('rows', Math.min(20, Math.max(4, text.split('\n').length + 1)))
  }
  return { element, show }
}
