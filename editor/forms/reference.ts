import type { ReferenceKind } from '../../nodes/shared/form/reference'

/** The kinds of a field that takes its value from elsewhere, as Node-RED's typed input names them. */
export const referenceKinds = [
  'msg',
  'flow',
  'global',
  'jsonata',
  'env',
] as const satisfies readonly ReferenceKind[]

export const isReferenceKind = (kind: string): kind is ReferenceKind =>
  (referenceKinds as readonly string[]).includes(kind)

/** A reference as it is stored, `{ "$msg": "payload.slot", "as": "uint32" }`; the runtime checks values by `as`. */
export const reference = (kind: ReferenceKind, text: string, as?: string) => ({
  [`$${kind}`]: text,
  ...(as && { as }),
})

/** The reference that a stored value is; undefined where it is a fixed one. */
export function referenceIn(value: unknown): { kind: ReferenceKind; text: string } | undefined {
  if (!isObject(value)) return undefined
  const [key = '', ...more] = Object.keys(value).filter((name) => name !== 'as')
  const kind = key.slice(1)
  const text = value[key]
  if (more.length || !key.startsWith('$') || !isReferenceKind(kind) || typeof text !== 'string')
    return undefined
  return { kind, text }
}

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

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
