/** The sources of a form field other than a fixed value, as Node-RED's typed input names them. */
export const referenceKinds = ['msg', 'flow', 'global', 'jsonata', 'env'] as const

export type ReferenceKind = (typeof referenceKinds)[number]

export const isReferenceKind = (kind: string): kind is ReferenceKind =>
  (referenceKinds as readonly string[]).includes(kind)

/** A reference, stored among the fixed values of a form as JSON: `{ "$msg": "payload.slot", "as": "int32" }`. */
export interface Reference {
  kind: ReferenceKind
  text: string
  /** The required type of the value, if the dialog knew it. */
  as?: string
}

/** A reference as stored. */
export const reference = (kind: ReferenceKind, text: string, as?: string) => ({
  [`$${kind}`]: text,
  ...(as && { as }),
})

/** The reference that a stored value represents; undefined for a fixed value, or an object with fields of its own. */
export function referenceIn(stored: unknown): Reference | undefined {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return undefined
  const { as, ...others } = stored as Record<string, unknown>
  const [[key, text] = [''], ...more] = Object.entries(others)
  const kind = key.slice(1)
  if (more.length || !key.startsWith('$') || !isReferenceKind(kind) || typeof text !== 'string')
    return undefined
  if (as !== undefined && typeof as !== 'string') return undefined
  return { kind, text, ...(as !== undefined && { as }) }
}
