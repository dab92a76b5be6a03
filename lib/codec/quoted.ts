/** A string in quotes, as `JSON.stringify` writes it. */
export function quoted(text: string): string {
  const { length } = text
  if (length > 60) return JSON.stringify(text)
  // For short strings without anything to escape this is faster than the call into the engine.
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return JSON.stringify(text)
  }
  return `"${text}"`
}
