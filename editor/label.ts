import { shortType, text } from './dialog'
import { ownDialogs } from './own-dialogs'

const references: Readonly<Record<string, (value: string) => string>> = {
  form: namesOf,
  json: namesOf,
  msg: (value) => `msg.${value}`,
  flow: (value) => `flow.${key(value)}`,
  global: (value) => `global.${key(value)}`,
  env: (value) => `\${${value}}`,
}

/** Longest generated label, in characters. */
const longest = 40

/** The label of a node in the flow: its name, or what it works on, or the name of its type. */
export function label(node: EditorNode, fields: readonly string[]) {
  const name = text(node['name'])
  const own = ownDialogs[node.type]
  const made = own ? own.label(node) : joined(node, fields)
  return name || cut(made || node._(`${shortType(node)}.paletteLabel`))
}

const cut = (made: string) => (made.length > longest ? `${made.slice(0, longest - 1).trimEnd()}…` : made)

/** The values of several fields in a few words. */
export const joined = (node: EditorNode, fields: readonly string[]) =>
  fields
    .map((field) => inShort(node, field))
    .filter(Boolean)
    .join(' ')

/** The value of a field with a kind in a few characters: `fps`, `msg.payload`. */
export function inShort(node: EditorNode, field: string) {
  const value = text(node[field])
  const shown = value && (references[text(node[`${field}Type`])]?.(value) ?? value)
  return cut(shown)
}

/** Of a stored object of values, only the names. */
function namesOf(json: string): string {
  try {
    const given: unknown = JSON.parse(json)
    if (Array.isArray(given)) return given.join(', ')
    return typeof given === 'object' && given !== null ? Object.keys(given).join(', ') : json
  } catch {
    return json
  }
}

/** Node-RED writes `#:(store)::name` for a value in a named context store. */
const key = (value: string) => value.replace(/^#:\(.*?\)::/, '')
