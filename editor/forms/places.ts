import { referenceIn } from '../../lib/contract/reading/form/reference'

/** The places in a stored form whose values come from elsewhere, `pose.position.x`; text with `${NAME}` does too. */
export function referencesIn(value: unknown, path = ''): string[] {
  if (referenceIn(value) || (typeof value === 'string' && value.includes('${'))) return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) =>
    referencesIn(inside, pathTo(path, Array.isArray(value), name)),
  )
}

export const pathTo = (path: string, isList: boolean, name: string) =>
  isList ? `${path}[${Number(name) + 1}]` : path ? `${path}.${name}` : name
