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

/** What a form of the dialog asks for at the moment, and how it looks. */
export type Drawing = Pick<FormOptions, 'shape' | 'names' | 'json' | 'empty' | 'offersOf' | 'texts'>

export interface FormField {
  /** Draws the form anew, with the values that it has. */
  draw: (drawing: Drawing) => void
  /** The values; undefined where they are given otherwise. */
  value: () => Record<string, unknown> | undefined
  /**
   * Before another form is drawn: the values of the last one wait for its return; of those, what both ask for stays.
   * @param name what the form is for
   */
  turnTo: (name: string, shape: Group) => void
}

export const emptyGroup: Group = { is: 'group', fields: {} }

/** The kind of a typed field whose value is set by a form below its row. */
export const formKind = (): InputKind => ({
  value: 'form',
  label: sharedText('form.below'),
  icon: 'fa fa-list-ul',
  valueLabel: (container) =>
    void container.append($('<span class="vision-form-below">').text(sharedText('form.below'))),
})

/**
 * Makes the element `<div data-form="args">` the form of a typed field that has the kind `form`.
 * @param first what another kind begins with
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

/** Whether a JSON text means the same as a form: no text in it is looked into for variables or references. */
export function isPlain(text: string): boolean {
  const given = jsonIn(text)
  return isObject(given) && referencesIn(given).length === 0
}

/** The kind by which a form is stored: one of fixed values alone is plain JSON, as it was before there were forms. */
export const storedKind = (kind: string, text: string) => (kind === 'form' && isPlain(text) ? 'json' : kind)
