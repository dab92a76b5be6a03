import type { Check } from './checks/check'
import { shownControl } from './controls'
import type { Dialog } from './dialog'
import { sharedText } from './shared-text'

/** Shows below a field why its value is invalid, once the user has visited it, and announces it to screen readers. */
export function reasons({ node, form, fields, input, value }: Dialog) {
  const visited = new Set<string>()
  for (const field of fields) {
    const visit = () => visited.add(field)
    input(field).on('change', () => value(field) !== '' && visit())
    input(field).closest('.form-row').on('input', visit).on('focusout', visit)
  }
  form.on('input change keyup paste focusout', update)
  update()

  function update() {
    for (const field of fields) show(field, reasonOf(field))
  }

  function reasonOf(field: string) {
    const definition = node._def.defaults[field] ?? node._def.credentials?.[field]
    const given = value(field).trim()
    if (/^\$\{\w+\}$/.test(given)) return undefined
    const reason = (definition?.validate as Check | undefined)?.reason
    if (reason) return reason(node, given)
    // Only fields that refer to a configuration node are left to Node-RED's own check.
    return definition?.required && !given ? sharedText('reason.choose') : undefined
  }

  function show(field: string, reason: string | undefined) {
    const element = input(field)
    const row = element.closest('.form-row')
    const shown = shownControl(element)
    shown.attr('aria-invalid', reason === undefined ? null : 'true')
    let line = row.children('.vision-reason')
    if (!line.length) line = $('<div class="vision-reason" role="status">').appendTo(row)
    // A form below shows the reason at the field itself.
    const isBelow = form.find(`[data-form="${field}"]`).children().length > 0
    line.text(reason !== undefined && visited.has(field) && !isBelow ? reason : '')
    describe(shown, row)
  }
}

/** Screen readers announce unit, hint and reason of a row with its control. */
function describe(control: JQuery, row: JQuery) {
  const ids = row
    .find('.vision-unit, .vision-hint, .vision-reason')
    .get()
    .map((element, index) => (element.id ||= `${control.attr('id') ?? ''}-about-${index}`))
  control.attr('aria-describedby', ids.join(' '))
}
