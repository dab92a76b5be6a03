import { sharedText } from '../shared-text'
import { breakable } from './breakable'
import type { Context, FormPart } from './context'
import { whole } from './whole'

interface Options {
  label: string
  path: string
  value: unknown
  /** Whether the value fits the parts. */
  fits: boolean
  /** Menu text for entering the value in the parts. */
  text: string
  about: string
  isOpen: boolean
  /** Creates the parts below; called when they are first opened. */
  parts: () => FormPart
}

/** A group or list with its name, its kind and its parts, which can be collapsed. */
export function section(context: Context, options: Options): FormPart {
  const { label, path, value, fits, text, about } = options
  const element = $('<div class="vision-form-section" role="group">').attr('aria-label', path)
  const head = $('<div class="vision-form-row">').appendTo(element)
  const fold = $('<button type="button" class="vision-form-fold">')
    .append('<i class="fa fa-fw" aria-hidden="true"></i>', $('<span>').append(...breakable(label)))
    .appendTo(head)
  const place = $('<div class="vision-form-value">').appendTo(head)
  const given = whole(place, { path, value, fits, text, changed })
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
    const isParts = given.isParts()
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
    line.text(given.reason() ?? '')
    context.resized()
  }

  return {
    element,
    read: () => (given.isParts() ? (parts ? parts.read() : fits ? value : undefined) : given.read()),
  }
}
