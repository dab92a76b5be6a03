/** A value as an error shows it: as JSON, at most 80 characters. */
export function shown(value: unknown): string {
  const text = (JSON.stringify(value) as string | undefined) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
