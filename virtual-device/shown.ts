/** A value as shown in an error message: short, on one line. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return cut(JSON.stringify(value.slice(0, 100)), 60)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** One printable line of bounded length. */
export function cut(text: string, length: number): string {
  const line = text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
  // A slice would keep the whole text in memory.
  return line.length > length ? `${Buffer.from(line.slice(0, length - 1)).toString()}…` : line
}
