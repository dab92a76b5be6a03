import type { Group } from '../../lib/contract/reading/form/form-shape'
import type { Dialog } from '../dialog'
import { sharedText } from '../shared-text'
import { learn } from './fitting'
import { drawForm, type FormOptions } from './form'
import type { InputKind } from './kinds'
import { jsonIn } from './leaf-reason'
import { kindOf, perKind, textOf } from './per-kind'
import { isObject } from '../is-object'
import { referencesIn } from './places'

/** The content and appearance of a form at the moment. */
export type Drawing = Pick<FormOptions, 'shape' | 'names' | 'json' | 'empty' | 'offersOf' | 'texts'>

export interface FormField {
  /** Redraws the form, keeping its values. */
  draw: (drawing: Drawing) => void
  /** The values; undefined if they come from another source. */
  value: () => Record<string, unknown> | undefined
  /**
   * Called before another form is drawn: stores the values of the previous one for its return, and keeps those that
   * both forms have.
   * @param name what the form is for
   */
  turnTo: (name: string, shape: Group) => void
}

export const emptyGroup: Group = { is: 'group', fields: {} }

/** The kind of a typed field whose value is set in a form below its row. */
export const formKind = (): InputKind => ({
  value: 'form',
  label: sharedText('form.below'),
  icon: 'fa fa-list-ul',
  valueLabel: (container) =>
    void container.append($('<span class="vision-form-below">').text(sharedText('form.below'))),
})

/**
 * Makes the element `<div data-form="args">` the form of a typed field that has the kind `form`.
 * @param first initial texts of other kinds
 */
export function formField(
  { node, form, input }: Dialog,
  field: string,
  first: (kind: string) => string | undefined = () => undefined,
): FormField {
  const element = input(field)
  const place = form.find(`[data-form="${field}"]`)
  let drawing: Drawing | undefined
  let isWriting = false
  const given = new Map<string, Readonly<Record<string, unknown>>>()
  let last: string | undefined

  if (kindOf(element) === 'json' && isPlain(textOf(element))) element.typedInput('type', 'form')
  perKind(element, (kind) => first(kind) ?? (kind === 'form' || kind === 'json' ? '{}' : undefined))
  element.on('change', () => {
    if (!isWriting) show()
  })

  const isForm = () => kindOf(element) === 'form'
  const value = () => {
    const given = jsonIn(textOf(element))
    return isObject(given) ? given : {}
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
        given.set(last, now)
        const common = Object.entries(now).filter(([key]) => Object.hasOwn(fields, key))
        write(given.get(name) ?? Object.fromEntries(common))
      }
      last = name
    },
  }
}

/** Whether a JSON text means the same as a form: it contains no variables or references. */
export function isPlain(text: string): boolean {
  const given = jsonIn(text)
  return isObject(given) && referencesIn(given).length === 0
}

/** The kind under which a form is stored: with fixed values only it is plain JSON, as in flows older than forms. */
export const storedKind = (kind: string, text: string) => (kind === 'form' && isPlain(text) ? 'json' : kind)
