/** The names in a field that takes several, `fps, exp_auto`. */
export const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** The name that is being typed: the text after the last comma. */
export const lastName = (text: string): string => text.slice(text.lastIndexOf(',') + 1).trim()

/** The text with a name added or removed; replaces a name that is partly typed. */
export function toggled(text: string, name: string): string {
  const names = namesIn(text)
  if (names.includes(name)) return names.filter((other) => other !== name).join(', ')
  const half = lastName(text)
  const kept = half && name.includes(half) ? names.slice(0, -1) : names
  return [...kept, name].join(', ')
}
