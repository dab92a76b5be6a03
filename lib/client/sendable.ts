const deepest = 199

/**
 * Where a value holds something that would be sent as something else or not at all: `undefined`, functions, symbols,
 * NaN and infinities, rings. `undefined` when there is nothing of the kind.
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
    // A missing field is left out, which is what its writer meant; a missing item of a list would become null.
    if (part === undefined && !Array.isArray(value)) continue
    const found = unsendablePart(part, at ? `${at}.${key}` : key, depth)
    if (found !== undefined) return found
  }
  return undefined
}
