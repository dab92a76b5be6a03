import {
  type FormShape,
  type Group,
  isReferenceKind,
  reference,
  referenceIn,
  referenceKinds,
} from '../../lib/contract/reading/form/form-shape'
import { accessibleTyped, type Dialog, isObject, sharedText } from '../dialog'
import { offersList } from '../picks/offers'
import {
  anyValue,
  breakable,
  type Context,
  type Field,
  type FormPart,
  type InputKind,
  kindOf,
  type Names,
  pathTo,
  perKind,
  referencesIn,
  textOf,
} from './context'
import { learn } from './fitting'
import { jsonIn, leafRow, referenceReason } from './leaf'

type Drawing = Pick<FormOptions, 'shape' | 'names' | 'json' | 'empty' | 'offersOf' | 'texts'>

export interface FormField {
  /** Keeps the values. */
  draw: (drawing: Drawing) => void
  /** Undefined if they come from another source. */
  value: () => Record<string, unknown> | undefined
  /**
   * Before another form is drawn: keeps common values, and stores the previous ones for its return.
   * @param name identifies the form
   */
  turnTo: (name: string, shape: Group) => void
}

export const emptyGroup: Group = { is: 'group', fields: {} }

export const formKind = (): InputKind => ({
  value: 'form',
  label: sharedText('form.below'),
  icon: 'fa fa-list-ul',
  valueLabel: (container) =>
    void container.append($('<span class="vision-form-below">').text(sharedText('form.below'))),
})

/** For `<div data-form="args">` of a typed field with the kind `form`. @param first initial texts of other kinds */
export function formField(
  { node, form, input }: Dialog,
  field: string,
  first: (kind: string) => string | undefined = () => undefined,
): FormField {
  const element = input(field)
  const place = form.find(`[data-form="${field}"]`)
  let drawing: Drawing | undefined
  let isWriting = false
  const stored = new Map<string, Readonly<Record<string, unknown>>>()
  let last: string | undefined

  if (kindOf(element) === 'json' && isPlain(textOf(element))) element.typedInput('type', 'form')
  perKind(element, (kind) => first(kind) ?? (kind === 'form' || kind === 'json' ? '{}' : undefined))
  element.on('change', () => {
    if (!isWriting) show()
  })

  const isForm = () => kindOf(element) === 'form'
  const value = () => {
    const text = jsonIn(textOf(element))
    return isObject(text) ? text : {}
  }

  function write(now: Readonly<Record<string, unknown>>) {
    isWriting = true
    element.typedInput('value', JSON.stringify(now))
    isWriting = false
  }

  function show() {
    place.prop('hidden', !isForm())
    if (!isForm() || !drawing) {
      place.empty()
      return
    }
    const { shape, names } = drawing
    learn(node, field, { shape, names })
    drawForm(place, {
      ...drawing,
      value: value(),
      changed: write,
    })
  }

  return {
    draw: (now) => {
      drawing = now
      show()
    },
    value: () => (isForm() ? value() : undefined),
    turnTo: (name, { fields }) => {
      const now = value()
      if (isForm() && last !== undefined && last !== name) {
        stored.set(last, now)
        const common = Object.entries(now).filter(([key]) => Object.hasOwn(fields, key))
        write(stored.get(name) ?? Object.fromEntries(common))
      }
      last = name
    },
  }
}

/** Free of variables and references. */
function isPlain(text: string): boolean {
  const value = jsonIn(text)
  return isObject(value) && referencesIn(value).length === 0
}

/** Fixed values only: plain JSON, as in flows older than forms. */
export const storedKind = (kind: string, text: string) => (kind === 'form' && isPlain(text) ? 'json' : kind)

interface FormOptions {
  shape: Group
  value: Readonly<Record<string, unknown>>
  names?: Names | undefined
  json: boolean
  /** Text if there is nothing to fill in. */
  empty: string
  offersOf?: Context['offersOf']
  texts: Context['texts']
  changed: (value: Record<string, unknown>) => void
}

function drawForm(place: JQuery, { shape, value, names, json, empty, ...options }: FormOptions): void {
  const { changed, offersOf, texts } = options
  const element = $('<div class="vision-form">').appendTo(place.empty())
  const fields = $('<div class="vision-form-side">').appendTo(element)
  let isDrawing = true
  let part = draw(value)
  const view = json ? jsonView(value, redraw) : undefined
  if (view) element.append(view.element)
  isDrawing = false

  function draw(values: Readonly<Record<string, unknown>>): FormPart {
    isDrawing = true
    const context: Context = {
      rows: (field) => rows(context, field),
      changed: () => {
        if (isDrawing) return
        const now = (part.read() ?? {}) as Record<string, unknown>
        view?.show(now)
        changed(now)
      },
      resized: () => RED.tray.resize(),
      offersOf,
      texts,
    }
    const drawn = groupFields(context, { shape, path: '', value: values, depth: 0, names })
    fields.empty().append(drawn.element)
    const hasFields = names !== undefined || drawn.element.children().length > 0
    if (!hasFields) $('<p class="vision-form-empty">').text(empty).appendTo(fields)
    isDrawing = false
    RED.tray.resize()
    return drawn
  }

  function redraw(values: Record<string, unknown>) {
    part = draw(values)
    changed(values)
  }
}

/** A group or list: by fields, by reference, or as JSON. */
interface WholeValue {
  element: JQuery
  isParts: () => boolean
  /** Unless given by fields. */
  read: () => unknown
  reason: () => string | undefined
}

interface Options {
  path: string
  value: unknown
  text: string
  fits: boolean
  changed: () => void
}

function whole(place: JQuery, { path, value, text, fits, changed }: Options): WholeValue {
  const from = referenceIn(value)
  const kind = from?.kind ?? (fits ? 'parts' : 'json')
  const element = $('<input type="text" style="width: 100%">')
    .val(from?.text ?? (fits ? '' : JSON.stringify(value)))
    .appendTo(place)
  const parts = { value: 'parts', label: text, hasValue: false }
  element.typedInput({ default: kind, types: [parts, ...referenceKinds, 'json'] as never })
  perKind(element, () => undefined)
  const container = element.next('.red-ui-typedInput-container')
  accessibleTyped(container, path)
  container.find('.red-ui-typedInput-input').attr('aria-label', path)
  element.on('change keyup paste', changed)

  return {
    element,
    isParts: () => kindOf(element) === 'parts',
    read: () => {
      const now = kindOf(element)
      const entered = textOf(element)
      if (isReferenceKind(now)) return reference(now, entered)
      return entered === '' ? undefined : (jsonIn(entered) ?? entered)
    },
    reason: () => {
      const now = kindOf(element)
      const entered = textOf(element)
      if (isReferenceKind(now)) return referenceReason(now, entered)
      return now === 'json' && entered !== '' && jsonIn(entered) === undefined
        ? sharedText('reason.json')
        : undefined
    },
  }
}

interface SectionOptions {
  label: string
  path: string
  value: unknown
  fits: boolean
  text: string
  about: string
  isOpen: boolean
  /** When first opened. */
  parts: () => FormPart
}

function section(context: Context, options: SectionOptions): FormPart {
  const { label, path, value, fits, text, about } = options
  const element = $('<div class="vision-form-section" role="group">').attr('aria-label', path)
  const head = $('<div class="vision-form-row">').appendTo(element)
  const fold = $('<button type="button" class="vision-form-fold">')
    .append('<i class="fa fa-fw" aria-hidden="true"></i>', $('<span>').append(...breakable(label)))
    .appendTo(head)
  const place = $('<div class="vision-form-value">').appendTo(head)
  const wholeValue = whole(place, { path, value, fits, text, changed })
  if (about) $('<div class="vision-form-about">').text(about).appendTo(head)
  const line = $('<div class="vision-form-reason" role="status">').appendTo(head)
  const inside = $('<div class="vision-form-inside">').appendTo(element)
  let parts: FormPart | undefined
  let isOpen = options.isOpen

  fold.on('click', () => {
    isOpen = !isOpen
    update()
  })
  update()

  function changed() {
    update()
    context.changed()
  }

  function update() {
    const isParts = wholeValue.isParts()
    if (isParts && isOpen && !parts) {
      parts = options.parts()
      inside.append(parts.element)
    }
    inside.prop('hidden', !(isParts && isOpen))
    fold.prop('disabled', !isParts).attr({
      'aria-expanded': String(isParts && isOpen),
      'aria-label': sharedText('spoken.fold', { field: path }),
    })
    fold
      .find('i')
      .toggleClass('fa-caret-down', isParts && isOpen)
      .toggleClass('fa-caret-right', !(isParts && isOpen))
    line.text(wholeValue.reason() ?? '')
    context.resized()
  }

  return {
    element,
    read: () =>
      wholeValue.isParts() ? (parts ? parts.read() : fits ? value : undefined) : wholeValue.read(),
  }
}

function rows(context: Context, { shape, label, path, value, depth }: Field): FormPart {
  if (shape.is === 'leaf') return leafRow(context, { leaf: shape, label, path, value })
  const isGiven = value !== undefined && !referenceIn(value)
  const common = { label, path, value, about: shape.about ?? '' }
  if (shape.is === 'list') {
    const items = Array.isArray(value) ? (value as unknown[]) : []
    return section(context, {
      ...common,
      fits: value === undefined || Array.isArray(value),
      text: sharedText('form.items'),
      isOpen: isGiven || depth === 0,
      parts: () =>
        listItems(context, {
          of: shape.of,
          path,
          items,
          keepsEmpty: isGiven && !items.length,
          depth: depth + 1,
        }),
    })
  }
  const isShort = Object.values(shape.fields).every(({ is }) => is === 'leaf')
  return section(context, {
    ...common,
    fits: value === undefined || isObject(value),
    text: sharedText('form.parts'),
    isOpen: isGiven || depth === 0 || (isShort && depth > 0),
    parts: () =>
      groupFields(context, {
        shape: isEmptyObject(value) ? { ...shape, required: true } : shape,
        path,
        value: isObject(value) ? value : {},
        depth: depth + 1,
      }),
  })
}

/** Typed as JSON; kept. */
const isEmptyObject = (value: unknown) => isObject(value) && Object.keys(value).length === 0

interface GroupFieldsOptions {
  shape: Group
  path: string
  value: Readonly<Record<string, unknown>>
  depth: number
  names?: Names | undefined
}

/** Stored values outside the shape are kept and marked. */
function groupFields(context: Context, { shape, path, value, depth, names }: GroupFieldsOptions): FormPart {
  const element = $('<div class="vision-form-fields">')
  const parts = new Map<string, FormPart>()
  for (const [name, of] of Object.entries(shape.fields)) {
    const part = context.rows({
      shape: of,
      label: name,
      path: pathTo(path, false, name),
      value: value[name],
      depth,
    })
    parts.set(name, part)
    element.append(part.element)
  }
  const others = Object.entries(value).filter(([name]) => !Object.hasOwn(shape.fields, name))
  const unknown: Names = { shapeOf: () => ({ ...anyValue, about: sharedText('form.unknownField') }) }
  const added =
    names || others.length
      ? addedFields(context, { fields: others, path, names: names ?? unknown, mayAdd: names !== undefined })
      : undefined
  if (added) element.append(added.element)

  return {
    element,
    read: () => {
      const values = [...parts].flatMap(([name, { read }]) => {
        const inside = read()
        return inside === undefined ? [] : [[name, inside] as const]
      })
      const all = { ...Object.fromEntries(values), ...(added?.read() as object | undefined) }
      return Object.keys(all).length || shape.required ? all : undefined
    },
  }
}

interface AddedFieldsOptions {
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

function addedFields(context: Context, { fields, path, names, mayAdd }: AddedFieldsOptions): FormPart {
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
    const nextName = () => sharedText('spoken.addedName', { number: added.length + 1 })
    const place = $('<div class="vision-form-name">').appendTo(row)
    const field = $('<input type="text">').attr('aria-label', nextName()).val(first).appendTo(place)
    const entry: AddedField = { row, name: nameOf, part: draw(first, value) }
    const line = $('<div class="vision-form-reason" role="status">')
    row.append(entry.part.element)
    removeButton(first || nextName(), () => {
      added.splice(added.indexOf(entry), 1)
      row.remove()
      context.changed()
      context.resized()
    }).appendTo(row)
    line.appendTo(row)
    if (names.load)
      offersList({ place, shown: field, name: nextName(), load: names.load, isActive: () => true })
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

interface ListItemsOptions {
  of: FormShape
  path: string
  items: readonly unknown[]
  /** An empty list that was typed as JSON may have a meaning. */
  keepsEmpty: boolean
  depth: number
}

function listItems(context: Context, { of, path, items, keepsEmpty, depth }: ListItemsOptions): FormPart {
  const element = $('<div class="vision-form-fields">')
  const list = $('<div>').appendTo(element)
  const add = addButton(sharedText('form.addItem', { field: path }), () => {
    draw([...read(), undefined])
    list.children().last().find(':input:visible').first().trigger('focus')
  }).appendTo(element)
  let parts: FormPart[] = []
  draw(items)

  /** All items: labels are positions. */
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

const addButton = (text: string, pressed: () => void) =>
  $('<button type="button" class="red-ui-button red-ui-button-small vision-form-add">')
    .append('<i class="fa fa-plus" aria-hidden="true"></i> ', $('<span>').text(text))
    .on('click', pressed)

const removeButton = (field: string, pressed: () => void) => {
  const name = sharedText('spoken.remove', { field })
  return $('<button type="button" class="red-ui-button red-ui-button-small vision-form-remove">')
    .attr({ 'aria-label': name, title: name })
    .append('<i class="fa fa-times" aria-hidden="true"></i>')
    .on('click', pressed)
}

interface JsonView {
  element: JQuery
  show: (value: Record<string, unknown>) => void
}

function jsonView(
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
