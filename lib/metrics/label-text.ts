import type { Labels } from './family'

/** Longest value of a label, in characters: some come from a device. */
const longest = 120

/** Labels as the text format writes them, without the braces: `device="cell 1",operation="getNode"`. */
export const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

function escaped(value: string): string {
  const short = value.length > longest ? `${value.slice(0, longest - 1)}…` : value
  return short.replace(/[\\"\n]/g, (character) => escapes[character] ?? character)
}
