import type { Group } from '../../lib/contract/reading/form/form-shape'
import { sharedText } from '../shared-text'
import { addedFields } from './added-fields'
import { anyValue, type Context, type Names, type FormPart } from './context'
import { pathTo } from './places'

interface Options {
  shape: Group
  path: string
  value: Readonly<Record<string, unknown>>
  depth: number
  /** The further fields that may be added, if any. */
  names?: Names | undefined
}

/** The fields of a group, one below the other; stored values outside its shape are kept and marked. */
export function groupFields(context: Context, { shape, path, value, depth, names }: Options): FormPart {
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
      const given = [...parts].flatMap(([name, { read }]) => {
        const inside = read()
        return inside === undefined ? [] : [[name, inside] as const]
      })
      const all = { ...Object.fromEntries(given), ...(added?.read() as object | undefined) }
      return Object.keys(all).length || shape.required ? all : undefined
    },
  }
}
