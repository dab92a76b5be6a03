/** Where a field of a form takes its value from, instead of a fixed one. */
export type ReferenceKind = 'msg' | 'flow' | 'global' | 'jsonata' | 'env'

/**
 * A reference, which a form stores amid fixed values as JSON: `{ "$msg": "payload.slot", "as": "int32" }`. `as` is the
 * type that the value must have, where the dialog knew it.
 */
export interface Reference {
  kind: ReferenceKind
  text: string
  as?: string
}

const kinds: ReadonlySet<string> = new Set([
  'msg',
  'flow',
  'global',
  'jsonata',
  'env',
] satisfies ReferenceKind[])

/** The reference that an object of a form is; undefined where it is an object with fields of its own. */
export function referenceOf(stored: object): Reference | undefined {
  const { as, ...others } = stored as Record<string, unknown>
  const [[key, text] = [''], ...more] = Object.entries(others)
  const kind = key.slice(1)
  if (more.length || !key.startsWith('$') || !kinds.has(kind) || typeof text !== 'string') return undefined
  if (as !== undefined && typeof as !== 'string') return undefined
  return { kind: kind as ReferenceKind, text, ...(as !== undefined && { as }) }
}
