import type { FormShape } from '../../lib/contract/reading/form/form-shape'
import { sharedText } from '../shared-text'
import { addButton, removeButton } from './buttons'
import type { Context, FormPart } from './context'
import { pathTo } from './places'

interface Options {
  of: FormShape
  path: string
  items: readonly unknown[]
  /** Whether an empty list is kept: one that was typed as JSON may have a meaning. */
  keepsEmpty: boolean
  depth: number
}

/** The items of a list, each with a button that removes it, and a button that adds one. */
export function listItems(context: Context, { of, path, items, keepsEmpty, depth }: Options): FormPart {
  const element = $('<div class="vision-form-fields">')
  const list = $('<div>').appendTo(element)
  const add = addButton(sharedText('form.addItem', { field: path }), () => {
    draw([...read(), undefined])
    list.children().last().find(':input:visible').first().trigger('focus')
  }).appendTo(element)
  let parts: FormPart[] = []
  draw(items)

  /** Items are labelled by position, so all are redrawn when one is added or removed. */
  function draw(values: readonly unknown[]) {
    list.empty()
    parts = values.map((value, index) => {
      const place = pathTo(path, true, String(index))
      const label = `${index + 1}`
      const part = context.rows({ shape: of, label, path: place, value, depth })
      const remove = removeButton(place, () => {
        draw(read().filter((_item, at) => at !== index))
        add.trigger('focus')
      })
      $('<div class="vision-form-item">').append(part.element, remove).appendTo(list)
      return part
    })
    context.changed()
    context.resized()
  }

  const read = () => parts.map((part) => part.read())

  return {
    element,
    read: () =>
      parts.length || keepsEmpty ? read().map((item) => (item === undefined ? null : item)) : undefined,
  }
}
