/** A value as an error shows it: as JSON, at most 80 characters; what has no JSON by its kind. */
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
    // It contains itself, or cannot be read.
    return typeof value
  }
}
