const deepest = 199

/**
 * Path of the first part of a value that would be sent as something else or not at all: `undefined`, functions,
 * symbols, NaN and infinities, circular references. `undefined` if there is none.
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
    // An undefined field is left out, as intended; an undefined item of a list would become null.
    if (part === undefined && !Array.isArray(value)) continue
    const found = unsendablePart(part, at ? `${at}.${key}` : key, depth)
    if (found !== undefined) return found
  }
  return undefined
}
