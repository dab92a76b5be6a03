import type { Node, NodeAPI, NodeMessage } from 'node-red'
import type { FieldKind, TypedName } from './field-kind'
import { fieldReader } from './field-reader'
import type { PreparedField } from './prepared-field'
import { invalidInput } from './sentences'

/** Dialog fields that, if empty, take the message property of the same name. */
const fromMessage: ReadonlySet<string> = new Set([
  'pipeline',
  'node',
  'parameter',
  'service',
  'stream',
  'destination',
])

/** The values of a node's typed fields for one message. */
export interface FieldValues<Name extends string> {
  /** Throws INVALID_INPUT naming the field if it cannot be evaluated. */
  read: (name: Name) => unknown
  /** As text; numbers are converted. Empty if the field is empty. */
  text: (name: Name) => string
  /** As non-empty text. */
  name: (name: Name) => string
}

/** Prepares all typed fields of a node and returns a function that reads them for one message. */
export function fieldsOfMessage<Fields extends object>(RED: NodeAPI, node: Node, fields: Fields) {
  type Name = TypedName<Fields>
  const given = fields as Record<string, string | number | boolean | null | undefined>
  const readers = new Map<string, PreparedField>()
  for (const [key, kind] of Object.entries(given)) {
    const name = key.replace(/Type$/, '')
    if (name === key || !(name in given)) continue
    const isEmpty = kind === 'str' && given[name] === ''
    readers.set(
      name,
      isEmpty && fromMessage.has(name)
        ? { ahead: false, read: (msg) => msg[name] ?? '' }
        : fieldReader(RED, node, name, kind as FieldKind, given[name]),
    )
  }
  const ahead = [...readers].filter(([, reader]) => reader.ahead)

  /** A promise only if a field must be read ahead. */
  return (msg: NodeMessage): FieldValues<Name> | Promise<FieldValues<Name>> => {
    if (ahead.length === 0) return values<Name>(readers, msg)
    return Promise.all(ahead.map(([name, reader]) => settled(name, reader, msg))).then((early) =>
      values<Name>(readers, msg, new Map(early)),
    )
  }
}

type EarlyValue = { value: unknown } | { error: unknown }

/** A field that is not used may fail without harm. */
async function settled(name: string, reader: PreparedField, msg: NodeMessage): Promise<[string, EarlyValue]> {
  try {
    return [name, { value: await reader.read(msg) }]
  } catch (error) {
    return [name, { error }]
  }
}

function values<Name extends string>(
  readers: ReadonlyMap<string, PreparedField>,
  msg: NodeMessage,
  early?: ReadonlyMap<string, EarlyValue>,
): FieldValues<Name> {
  const read = (name: Name): unknown => {
    const known = early?.get(name)
    if (!known) return readers.get(name)?.read(msg)
    if ('error' in known) throw known.error
    return known.value
  }
  const text = (name: Name): string => {
    const value = read(name) ?? ''
    if (typeof value === 'string') return value.trim()
    if (typeof value === 'number') return String(value)
    throw invalidInput('not-text', { field: name })
  }
  return {
    read,
    text,
    name(name) {
      const value = text(name)
      if (value) return value
      throw invalidInput('empty-field', { field: name })
    },
  }
}
