const deepest = 200

/**
 * Where a value holds something that JSON would drop, turn into null or choke on: `undefined`, functions,
 * symbols, NaN and infinities, rings. `undefined` when there is nothing of the kind.
 */
export function unsendablePart(value: unknown, at: string, depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : at
    case 'object':
      return depth > deepest ? at : inObject(value, at, depth + 1)
    default:
      return at
  }
}

function inObject(value: object | null, at: string, depth: number): string | undefined {
  if (value === null || ('toJSON' in value && typeof value.toJSON === 'function')) return undefined
  for (const [key, part] of Object.entries(value)) {
    // JSON leaves a missing field of an object out, which is what its writer meant; in a list it would be null.
    if (part === undefined && !Array.isArray(value)) continue
    const found = unsendablePart(part, at ? `${at}.${key}` : key, depth)
    if (found !== undefined) return found
  }
  return undefined
}
