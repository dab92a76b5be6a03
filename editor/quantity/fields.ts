import type { Dialog } from '../dialog'
import { understood, understoodLine } from './understood'
import { showChosenUnit } from './chosen-unit'
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
