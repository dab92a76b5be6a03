/** A value as shown in an error: as JSON, at most 80 characters; a value without JSON by its type. */
export function shown(value: unknown): string {
  const text = written(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function written(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  try {
    const json = JSON.stringify(value) as string | undefined
    return json ?? typeof value
  } catch {
    // It is circular, or cannot be read.
    return typeof value
  }
}
