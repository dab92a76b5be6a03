import type { Node, NodeAPI, NodeMessage } from 'node-red'
import { type Reference, referenceIn } from '../../lib/contract/reading/form/form-shape'
import { detailOf } from './node-error'
import { invalidInput } from './sentences'
import { shown } from './shown'

/** Replaces every `${NAME}`; Node-RED does so only if it is the whole text. */
export const environmentText = (RED: NodeAPI, node: Node, field: string, text: string): string =>
  text.includes('${')
    ? text.replace(/\$\{([^{}]*)\}/g, (_, name: string) => variable(RED, node, field, name))
    : text

/** @throws INVALID_INPUT naming an unknown one */
function variable(RED: NodeAPI, node: Node, field: string, name: string): string {
  const value = RED.util.getSetting(node, name) as string | number | boolean | undefined
  if (value === undefined) throw invalidInput('unknown-variable', { field, variable: name })
  return String(value)
}

/**
 * A number, or its text from an environment variable. Every setting has both bounds: an unbounded time would overflow a timer.
 * @param zero allows 0 below the minimum, to switch something off
 * @throws INVALID_INPUT naming the field and its bounds
 */
export function number(field: string, input: unknown, least: number, most: number, zero = false): number {
  const value = plainNumber(input)
  if ((value >= least && value <= most) || (zero && value === 0)) return value
  throw invalidInput(zero ? 'number-out-of-range-or-zero' : 'number-out-of-range', {
    field,
    least,
    most,
    value: typeof input === 'string' ? input : shown(input),
  })
}

/** NaN unless it is a number or its text. */
const plainNumber = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN

const spellings: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, 1: true },
  ...{ false: false, no: false, off: false, 0: false },
}

/** True, false, or their usual texts in environment variables; otherwise undefined. */
export function switched(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const spelling = String(value).trim().toLowerCase()
  return Object.hasOwn(spellings, spelling) ? spellings[spelling] : undefined
}

/** Hand-written flows may contain more than text. */
type RawFieldValue = string | number | boolean | null | undefined

type Read = (msg: NodeMessage) => unknown

/** Once for all messages; an invalid setting fails when it is read. */
export function fieldReader(
  RED: NodeAPI,
  node: Node,
  field: string,
  kind: FieldKind,
  raw: RawFieldValue,
): PreparedField {
  const text = String(raw ?? '')
  switch (kind) {
    case 'flow':
    case 'global':
      return { ahead: true, read: (msg) => evaluated(RED, node, field, kind, text, msg) }
    case 'jsonata':
      return { ahead: true, read: jsonata(RED, node, field, text) }
    case 'msg':
      return { ahead: false, read: messageProperty(RED, field, text) }
    case 'form':
      return formReader(field, text, (inside, itsKind, its) => fieldReader(RED, node, inside, itsKind, its))
    default:
      return { ahead: false, read: constant(() => constants[kind](RED, node, field, text)) }
  }
}

const constants: Record<
  'str' | 'num' | 'bool' | 'json' | 'env',
  (RED: NodeAPI, node: Node, field: string, text: string) => unknown
> = {
  str: environmentText,
  num: (_RED, _node, field, text) => {
    const number = text.trim() === '' ? NaN : Number(text)
    if (Number.isNaN(number)) throw invalidInput('not-a-number', { field, value: text })
    return number
  },
  bool: (_RED, _node, field, text) => {
    const value = switched(text)
    if (value === undefined) throw invalidInput('setting-switch', { field, value: shown(text) })
    return value
  },
  json: (_RED, _node, field, text) => {
    try {
      return JSON.parse(text) as unknown
    } catch (cause) {
      throw invalidInput('not-json', { field }, cause)
    }
  },
  env: (RED, node, field, text) =>
    text.includes('${') ? environmentText(RED, node, field, text) : variable(RED, node, field, text),
}

function constant(evaluate: () => unknown): Read {
  try {
    const value = evaluate()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function messageProperty(RED: NodeAPI, field: string, path: string): Read {
  if (/^\w+$/.test(path)) return (msg) => msg[path]
  return (msg) => {
    try {
      return RED.util.getMessageProperty(msg, path) as unknown
    } catch (cause) {
      throw invalidInput('bad-property', { field, property: path }, cause)
    }
  }
}

const evaluated = (
  RED: NodeAPI,
  node: Node,
  field: string,
  kind: 'flow' | 'global',
  path: string,
  msg: NodeMessage,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const failed = (cause: unknown) => reject(invalidInput('bad-property', { field, property: path }, cause))
    try {
      RED.util.evaluateNodeProperty(path, kind, node, msg, (error, value) =>
        error ? failed(error) : resolve(value),
      )
    } catch (cause) {
      failed(cause)
    }
  })

function jsonata(
  RED: NodeAPI,
  node: Node,
  field: string,
  text: string,
): (msg: NodeMessage) => Promise<unknown> {
  const failure = (cause: unknown) =>
    invalidInput('bad-expression', { field, detail: detailOf(cause) }, cause)
  try {
    const expression = RED.util.prepareJSONataExpression(text, node)
    return (msg) =>
      new Promise((resolve, reject) =>
        RED.util.evaluateJSONataExpression(expression, msg, (error, value) =>
          error ? reject(failure(error)) : resolve(value),
        ),
      )
  } catch (cause) {
    return () => Promise.reject(failure(cause))
  }
}

/** The field is a path, `args.pose.position.x`. */
type ReaderOf = (field: string, kind: FieldKind, text: string) => PreparedField

/** A form as JSON, with fixed values and references. Missing values and wrong types are INVALID_INPUT naming the field. */
function formReader(field: string, text: string, readerOf: ReaderOf): PreparedField {
  try {
    return part(field, JSON.parse(text), readerOf)
  } catch (cause) {
    return unchanging(() => {
      throw invalidInput('not-json', { field }, cause)
    })
  }
}

function part(field: string, stored: unknown, readerOf: ReaderOf): PreparedField {
  if (typeof stored === 'string') return readerOf(field, 'str', stored)
  if (typeof stored !== 'object' || stored === null) return unchanging(() => stored)
  const reference = referenceIn(stored)
  if (reference) return referred(field, reference, readerOf)
  const parts = Object.entries(stored).map(
    ([name, value]) => [name, part(pathTo(field, stored, name), value, readerOf)] as const,
  )
  const whole = Array.isArray(stored)
    ? (values: [string, unknown][]) => values.map(([, value]) => value)
    : (values: [string, unknown][]) => Object.fromEntries(values)
  if (parts.some(([, { ahead }]) => ahead))
    return {
      ahead: true,
      read: async (msg) =>
        whole(
          await Promise.all(
            parts.map(async ([name, { read }]) => [name, await read(msg)] as [string, unknown]),
          ),
        ),
    }
  return { ahead: false, read: (msg) => whole(parts.map(([name, { read }]) => [name, read(msg)])) }
}

function referred(field: string, { kind, text, as }: Reference, readerOf: ReaderOf): PreparedField {
  const reader = readerOf(field, kind, text)
  const checked = (value: unknown) => {
    if (value === undefined) throw invalidInput('nothing-there', { field, place: `${kind} ${text}` })
    const accepted = as === undefined ? value : asType(as, value)
    if (accepted === undefined) throw invalidInput('wrong-type', { field, expected: as, value: shown(value) })
    return accepted
  }
  return reader.ahead
    ? { ahead: true, read: async (msg) => checked(await reader.read(msg)) }
    : { ahead: false, read: (msg) => checked(reader.read(msg)) }
}

const unchanging = (read: (msg: NodeMessage) => unknown): PreparedField => ({ ahead: false, read })

const pathTo = (field: string, within: object, name: string) =>
  Array.isArray(within) ? `${field}[${name}]` : `${field}.${name}`

/** If empty, these come from the message property of the same name. */
const fromMessage: ReadonlySet<string> = new Set([
  'pipeline',
  'node',
  'parameter',
  'service',
  'stream',
  'destination',
])

export interface FieldValues<Name extends string> {
  /** @throws INVALID_INPUT naming the field */
  read: (name: Name) => unknown
  /** Converts numbers; empty if the field is empty. */
  text: (name: Name) => string
  /** Not empty. */
  name: (name: Name) => string
}

/** Prepares the typed fields once; the result reads them per message. */
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

  // A promise only if a field must be read ahead.
  return (msg: NodeMessage): FieldValues<Name> | Promise<FieldValues<Name>> => {
    if (ahead.length === 0) return values<Name>(readers, msg)
    return Promise.all(ahead.map(([name, reader]) => settled(name, reader, msg))).then((early) =>
      values<Name>(readers, msg, new Map(early)),
    )
  }
}

type EarlyValue = { value: unknown } | { error: unknown }

/** An unused field may fail. */
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

/** Fields that Node-RED evaluates only with a callback are read ahead. */
type PreparedField =
  | { ahead: false; read: (msg: NodeMessage) => unknown }
  | { ahead: true; read: (msg: NodeMessage) => Promise<unknown> }

/** Kinds of the editor's typed input; `form` is JSON with references. */
export type FieldKind =
  | 'str'
  | 'num'
  | 'bool'
  | 'json'
  | 'form'
  | 'msg'
  | 'flow'
  | 'global'
  | 'jsonata'
  | 'env'

/** `pipeline` with `pipelineType`. */
export type TypedName<Fields> = {
  [Name in keyof Fields & string]: `${Name}Type` extends keyof Fields ? Name : never
}[keyof Fields & string]

/** Undefined if it does not fit. Text that can only be a number, `true` or `false` is accepted; unknown types accept anything. */
export function asType(type: string, input: unknown): unknown {
  if (type === 'bool') {
    const value = input === 'true' ? true : input === 'false' ? false : input
    return typeof value === 'boolean' ? value : undefined
  }
  if (type === 'string') return typeof input === 'string' ? input : undefined
  if (!isNumeric(type)) return input
  const value = typeof input === 'string' && input.trim() ? Number(input) : input
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Number.isInteger(value) || /^(float|number)/.test(type) ? value : undefined
}

const isNumeric = (type: string) => /^(u?int\d+|float\d+|integer|number)$/.test(type)

/** Undefined if empty. @throws INVALID_INPUT for other values */
export function optionalNumber(field: string, value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw invalidInput('number-or-nothing', { field, value: shown(value) })
}

/** Text, or the parameter's record. */
export function parameterName(value: unknown, field = 'parameter'): string {
  const name = value && typeof value === 'object' && 'name' in value ? value.name : value
  if (typeof name === 'string' && name.trim()) return name.trim()
  throw invalidInput(name === '' ? 'empty-field' : 'not-text', { field })
}

/** Comma-separated text, or an array of names or records; without duplicates. */
export function parameterNames(value: unknown, field = 'parameter'): string[] {
  const list: unknown[] =
    typeof value === 'string' ? value.split(',').filter((name) => name.trim()) : asArray(value, field)
  if (list.length === 0) throw invalidInput('empty-field', { field })
  return [...new Set(list.map((name) => parameterName(name, field)))]
}

function asArray(value: unknown, field: string): unknown[] {
  if (Array.isArray(value)) return value
  throw invalidInput('not-a-list', { field })
}
