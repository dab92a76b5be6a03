import type { Group } from '../../lib/contract/reading/form/form-shape'
import type { Context, Names, FormPart } from './context'
import { groupFields } from './group-fields'
import { jsonView } from './json-view'
import { rows } from './rows'

export interface FormOptions {
  shape: Group
  value: Readonly<Record<string, unknown>>
  /** Names that may be added beyond the shape. */
  names?: Names | undefined
  /** Whether the form is also shown as editable JSON. */
  json: boolean
  /** Shown if there is nothing to fill in. */
  empty: string
  offersOf?: Context['offersOf']
  texts: Context['texts']
  changed: (value: Record<string, unknown>) => void
}

/** Draws a form into an element of the dialog: fields, and the same as JSON, kept in sync. */
export function drawForm(place: JQuery, { shape, value, names, json, empty, ...options }: FormOptions): void {
  const { changed, offersOf, texts } = options
  const element = $('<div class="vision-form">').appendTo(place.empty())
  const fields = $('<div class="vision-form-side">').appendTo(element)
  let isDrawing = true
  let part = draw(value)
  const view = json ? jsonView(value, redraw) : undefined
  if (view) element.append(view.element)
  isDrawing = false

  function draw(given: Readonly<Record<string, unknown>>): FormPart {
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
    const drawn = groupFields(context, { shape, path: '', value: given, depth: 0, names })
    fields.empty().append(drawn.element)
    const hasFields = names !== undefined || drawn.element.children().length > 0
    if (!hasFields) $('<p class="vision-form-empty">').text(empty).appendTo(fields)
    isDrawing = false
    RED.tray.resize()
    return drawn
  }

  /** Called when the JSON was edited. */
  function redraw(given: Record<string, unknown>) {
    part = draw(given)
    changed(given)
  }
}
