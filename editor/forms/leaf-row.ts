import type { Leaf } from '../../lib/contract/reading/form/form-shape'
import { afterClick } from '../after-click'
import { offersList } from '../picks/offers-list'
import { understood, understoodLine } from '../quantity/understood'
import { breakable } from './breakable'
import type { Context, FormPart } from './context'
import { leafControl } from './leaf-control'
import { kindOf } from './per-kind'

let count = 0

interface Options {
  leaf: Leaf
  /** The last part of the path, as the row's label; empty if the row shows something else. */
  label: string
  path: string
  value: unknown
}

/** A value with its label and, below, its description or the reason why it is invalid. */
export function leafRow(context: Context, { leaf, label, path, value }: Options): FormPart {
  const element = $('<div class="vision-form-row">')
  if (label)
    $('<span class="vision-form-label" aria-hidden="true">')
      .append(...breakable(label))
      .appendTo(element)
  const place = $('<div class="vision-form-value">').appendTo(element)
  const control = leafControl(place, { leaf, name: path, value, changed })
  const about = $('<div class="vision-form-about">')
    .text(leaf.about ?? '')
    .appendTo(element)
  const meant = understoodLine().appendTo(element)
  const line = $('<div class="vision-form-reason" role="status">').appendTo(element)
  let visited = value !== undefined
  element.on('focusout', () => {
    visited = true
    afterClick(element, update)
  })
  const shown = place.find('.red-ui-typedInput-input')
  understood(shown, {
    line: meant,
    unit: () => (kindOf(control.element) === 'num' ? (leaf.unit ?? '') : undefined),
    put: (text) => control.element.typedInput('value', text),
  })
  const id = `vision-form-${++count}`
  about.attr('id', `${id}-about`)
  meant.attr('id', `${id}-meant`)
  line.attr('id', `${id}-reason`)
  shown.attr('aria-describedby', `${id}-about ${id}-meant ${id}-reason`)
  const load = context.offersOf?.(path)
  if (load) offersList({ place, shown, name: path, load, isActive: () => kindOf(control.element) === 'str' })
  update()

  function changed() {
    update()
    context.changed()
  }

  function update() {
    const reason = control.reason()
    place.find('.red-ui-typedInput-input, select, [role=switch]').attr('aria-invalid', reason ? 'true' : null)
    line.text(reason && visited ? reason : '')
  }

  return { element, read: control.read }
}
