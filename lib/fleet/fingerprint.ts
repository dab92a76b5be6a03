import { createHash } from 'node:crypto'

/** The SHA-256 of a value in canonical JSON: names sorted, no spaces. In hexadecimal. */
export const fingerprintOf = (value: object): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')

/** Deep nesting ends in a RangeError, as it does in JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]))
}
