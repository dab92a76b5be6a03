/** A value with every secret in its texts blanked. A device or a gateway may repeat what it was sent. */
export function withoutSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  const blanked = (part: unknown): unknown => {
    if (typeof part === 'string')
      return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), part)
    if (Array.isArray(part)) return part.map(blanked)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [blanked(key), blanked(inner)]))
  }
  return (secrets.length ? blanked(value) : value) as Value
}

/** A secret in the forms it travels in. */
export const formsOf = (secret: unknown): string[] =>
  typeof secret === 'string' && secret !== '' ? [...new Set([secret, encodeURIComponent(secret)])] : []
