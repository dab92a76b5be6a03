import type { Dialog } from '../dialog'
import { understood, understoodLine } from './understood'
import { unitOf } from './unit-of'

/** Lets users type numbers with a unit or a decimal comma, and stores them in the unit of the field. */
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

/** Shows beside a number the unit that another field has (`data-unit-from`), as soon as it is chosen. */
function showChosenUnit(element: JQuery, input: (field: string) => JQuery): void {
  const from = element.attr('data-unit-from')
  if (!from) return
  const choice = input(from)
  const show = () => element.siblings('.vision-unit').text(String(choice.val() ?? ''))
  choice.on('change', show)
  show()
}
