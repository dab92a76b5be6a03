import { sharedText } from '../shared-text'
import type { Context, Field, FormPart } from './context'
import { groupFields } from './group-fields'
import { leafRow } from './leaf-row'
import { listItems } from './list-items'
import { referenceIn } from '../../lib/contract/reading/form/reference'
import { isObject } from '../is-object'
import { section } from './section'

/** The rows of one field of a form, of any shape. */
export function rows(context: Context, { shape, label, path, value, depth }: Field): FormPart {
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

/** An empty object that was typed as JSON is kept. */
const isEmptyObject = (value: unknown) => isObject(value) && Object.keys(value).length === 0
