/** The sources of a form field other than a fixed value. */
export type ReferenceKind = 'msg' | 'flow' | 'global' | 'jsonata' | 'env'

/**
 * A reference, stored among the fixed values of a form as JSON: `{ "$msg": "payload.slot", "as": "int32" }`. `as` is
 * the required type, if the dialog knew it.
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

/** The reference that an object of a form represents; undefined if it is an object with fields of its own. */
export function referenceOf(stored: object): Reference | undefined {
  const { as, ...others } = stored as Record<string, unknown>
  const [[key, text] = [''], ...more] = Object.entries(others)
  const kind = key.slice(1)
  if (more.length || !key.startsWith('$') || !kinds.has(kind) || typeof text !== 'string') return undefined
  if (as !== undefined && typeof as !== 'string') return undefined
  return { kind: kind as ReferenceKind, text, ...(as !== undefined && { as }) }
}
