import { offersList } from '../picks/offers-list'
import { sharedText } from '../shared-text'
import { addButton, removeButton } from './buttons'
import { anyValue, type Context, type Names, type FormPart } from './context'
import { leafRow } from './leaf-row'
import { pathTo } from './places'

interface Options {
  fields: readonly (readonly [name: string, value: unknown])[]
  path: string
  names: Names
  mayAdd: boolean
}

interface AddedField {
  row: JQuery
  name: () => string
  part: FormPart
}

/** Fields that the user adds by name: each has a name, a value and a button that removes it. */
export function addedFields(context: Context, { fields, path, names, mayAdd }: Options): FormPart {
  const element = $('<div class="vision-form-fields">')
  const list = $('<div class="vision-form-added" role="list">').appendTo(element)
  const added: AddedField[] = []
  for (const [name, value] of fields) append(name, value)
  if (mayAdd)
    addButton(context.texts.add, () => {
      append('', undefined).row.find('input').first().trigger('focus')
      context.resized()
    }).appendTo(element)

  function append(first: string, value: unknown): AddedField {
    const row = $('<div class="vision-form-entry" role="listitem">').appendTo(list)
    const nameOf = () => String(field.val()).trim()
    const spoken = () => sharedText('spoken.addedName', { number: added.length + 1 })
    const place = $('<div class="vision-form-name">').appendTo(row)
    const field = $('<input type="text">').attr('aria-label', spoken()).val(first).appendTo(place)
    const entry: AddedField = { row, name: nameOf, part: draw(first, value) }
    const line = $('<div class="vision-form-reason" role="status">')
    row.append(entry.part.element)
    removeButton(first || spoken(), () => {
      added.splice(added.indexOf(entry), 1)
      row.remove()
      context.changed()
      context.resized()
    }).appendTo(row)
    line.appendTo(row)
    if (names.load)
      offersList({ place, shown: field, name: spoken(), load: names.load, isActive: () => true })
    field.on('change', () => {
      const now = draw(nameOf(), entry.part.read() ?? names.presentOf?.(nameOf()))
      entry.part.element.replaceWith(now.element)
      entry.part = now
      const isTwice = added.some((other) => other !== entry && other.name() === nameOf())
      line.text(isTwice ? sharedText('reason.twice', { name: nameOf() }) : '')
      context.changed()
      context.resized()
    })
    added.push(entry)
    return entry
  }

  function draw(name: string, value: unknown): FormPart {
    const shape = names.shapeOf(name) ?? anyValue
    const at = pathTo(path, false, name || '?')
    if (shape.is !== 'leaf') return context.rows({ shape, label: '', path: at, value, depth: 1 })
    return leafRow(context, { leaf: shape, label: '', path: at, value })
  }

  return {
    element,
    read: () =>
      Object.fromEntries(
        added.flatMap(({ name, part }) => {
          const value = part.read()
          return name() && value !== undefined ? [[name(), value]] : []
        }),
      ),
  }
}
