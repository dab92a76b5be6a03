import type { FormShape, Group } from '../../lib/contract/reading/form/form-shape'
import { sharedText } from '../shared-text'
import { anyValue, type Names } from './context'
import { fixedKinds, kindName } from './kinds'
import { givenAs } from './leaf-control'
import { leafReason, referenceReason } from './leaf-reason'
import { referenceIn } from '../../lib/contract/reading/form/reference'
import { isObject } from '../is-object'
import { pathTo } from './places'

/** The fields of a form. */
export interface FormDefinition {
  shape: Group
  names?: Names | undefined
}

/** Why the stored values of a form are invalid, with the path; undefined if they are valid. */
export function formReason(
  { shape, names }: FormDefinition,
  value: Readonly<Record<string, unknown>>,
): string | undefined {
  const others = Object.fromEntries(
    Object.keys(value)
      .filter((name) => !Object.hasOwn(shape.fields, name))
      .map((name) => [name, names?.shapeOf(name) ?? anyValue]),
  )
  return partReason({ ...shape, fields: { ...shape.fields, ...others } }, value, '')
}

function partReason(shape: FormShape, value: unknown, path: string): string | undefined {
  const at = (reason: string | undefined) => (reason === undefined ? undefined : `${path}: ${reason}`)
  if (value === undefined) return shape.required && path ? at(sharedText('reason.required')) : undefined
  const from = referenceIn(value)
  if (from) return at(referenceReason(from.kind, from.text))
  if (shape.is === 'leaf') {
    // A list item that is still empty.
    if (value === null && shape.type !== 'any' && shape.type !== 'json')
      return at(sharedText('reason.required'))
    const { kind, text } = givenAs(value, kindName(fixedKinds(shape, '')[0] ?? 'str'))
    return at(leafReason(shape, kind, text))
  }
  if (shape.is === 'list')
    return Array.isArray(value)
      ? first(
          (value as unknown[]).map((item, index) =>
            partReason(shape.of, item, pathTo(path, true, String(index))),
          ),
        )
      : at(sharedText('reason.otherType', { expected: sharedText('form.items') }))
  if (!isObject(value)) return at(sharedText('reason.otherType', { expected: sharedText('form.parts') }))
  return first(
    Object.entries(shape.fields).map(([name, of]) => partReason(of, value[name], pathTo(path, false, name))),
  )
}

const first = (reasons: (string | undefined)[]) => reasons.find((reason) => reason !== undefined)
