/** Messages that are described by tables of their fields, as bytes and back. */
import { Cursor, Misread, skipField, Writer } from './wire'

/** How values of a kind travel, as code: `value` is one, `end` the end of its message. */
const scalars = {
  double: {
    ...{ wireType: 1, read: 'cursor.double(end)', write: 'writer.double(value)' },
    ...{ test: 'typeof value === "number"', expected: 'a number' },
  },
  float: {
    ...{ wireType: 5, read: 'cursor.float(end)', write: 'writer.float(value)' },
    ...{ test: 'typeof value === "number"', expected: 'a number' },
  },
  int32: {
    ...{ wireType: 0, read: 'cursor.int32(end)', write: 'writer.integer(value)' },
    ...{ test: 'value === (value | 0)', expected: 'an integer of 32 bits' },
  },
  uint32: {
    ...{ wireType: 0, read: 'cursor.uint32(end)', write: 'writer.integer(value)' },
    ...{ test: 'value === value >>> 0', expected: 'a positive integer of 32 bits' },
  },
  int64: {
    ...{ wireType: 0, read: 'cursor.int64(end)', write: 'writer.integer(value)' },
    test: 'typeof value === "bigint" ? value === BigInt.asIntN(64, value) : Number.isSafeInteger(value)',
    expected: 'an integer of 64 bits',
  },
  uint64: {
    ...{ wireType: 0, read: 'cursor.uint64(end)', write: 'writer.integer(value)' },
    ...{ test: 'value === BigInt.asUintN(64, BigInt(value))', expected: 'a positive integer of 64 bits' },
  },
  bool: {
    ...{ wireType: 0, read: 'cursor.bool(end)', write: 'writer.integer(value ? 1 : 0)' },
    ...{ test: 'typeof value === "boolean"', expected: 'true or false' },
  },
  string: {
    ...{ wireType: 2, read: 'cursor.text(end)', write: 'writer.text(value)' },
    ...{ test: 'typeof value === "string"', expected: 'a text' },
  },
  bytes: {
    ...{ wireType: 2, read: 'cursor.content(end)', write: 'writer.content(value)' },
    ...{ test: 'value instanceof Uint8Array', expected: 'bytes' },
  },
} as const

type Scalar = keyof typeof scalars

/** `doubles` is a list that is written packed, and read packed or not; a name with `*` a list of values of their own. */
type Kind<Message extends string> = Scalar | 'doubles' | Message | `${Scalar | Message}*`

/** Names and kinds of the fields of each message, by their numbers. A name is a word. */
export type ProtobufSchema<Messages> = {
  readonly [Name in keyof Messages & string]: Readonly<
    Record<number, readonly [name: keyof Messages[Name] & string, kind: Kind<keyof Messages & string>]>
  >
}

export interface ProtobufField {
  number: number
  name: string
  kind: string
}

type Table = Readonly<Record<number, readonly [name: string, kind: string]>>
type Tables = Readonly<Record<string, Table>>

/** The fields of a message, in ascending order of their numbers. */
export const fieldsIn = (message: Table): ProtobufField[] =>
  Object.entries(message).map(([number, [name, kind]]) => ({ number: Number(number), name, kind }))

interface Compiled {
  readers: Readonly<Record<string, (cursor: Cursor, end: number) => never>>
  writers: Readonly<Record<string, (writer: Writer, message: unknown) => void>>
}

/**
 * Decodes and encodes the messages of a schema. Absent fields stay absent, unknown ones are skipped, and a message that
 * comes in several parts is merged, as in all decoders.
 */
export function protobufCodec<Messages>(schema: ProtobufSchema<Messages>) {
  type Name = keyof Messages & string
  const tables = schema as Tables
  let compiled: Compiled | undefined
  return {
    /**
     * @throws ProtobufError for a field that is truncated, has a wrong wire type or cannot be read, with its path and
     * offset
     */
    decode: <Type extends Name>(type: Type, bytes: Uint8Array): Messages[Type] => {
      compiled ??= compile(tables)
      const cursor = new Cursor(bytes)
      try {
        return (compiled.readers[type] as Compiled['readers'][string])(cursor, bytes.length)
      } catch (error) {
        if (!(error instanceof Misread)) throw error
        const { message, truncated } = error
        const offset = cursor.field
        throw new ProtobufError(message, { offset, path: fieldPath(tables, cursor, type, offset), truncated })
      }
    },
    /** @throws TypeError for a value that the schema does not allow */
    encode: <Type extends Name>(type: Type, message: Messages[Type]): Buffer => {
      compiled ??= compile(tables)
      writer.start()
      compiled.writers[type]?.(writer, message)
      return writer.finish()
    },
  }
}

/** Writing is synchronous, so one writer serves all. */
const writer = new Writer()

/**
 * One function per message, each with a switch over tags and stores to named properties: the engine compiles these to the
 * code of a generated decoder. A loop over the table is several times slower, and protobufjs does not report absent
 * fields, wrong wire types or where reading failed. The code is made of the tables of this program alone.
 */
function compile(tables: Tables): Compiled {
  const names = Object.keys(tables)
  const all = names.map((name) => [name, fieldsIn(tables[name] ?? {})] as const)
  const code = [
    '"use strict"',
    ...all.flatMap(([name, fields]) => [readerOf(name, fields), writerOf(name, fields)]),
    `const readers = {${names.map((name) => `${name}: read${name}`).join()}}`,
    `const writers = {${names.map((name) => `${name}: write${name}`).join()}}`,
    'return { readers, writers }',
  ].join('\n')
  // oxlint-disable-next-line typescript/no-implied-eval -- the code is made of the tables of this program alone
  const made = new Function('unknown', 'wrong', 'areNumbers', code) as (
    ...helpers: readonly unknown[]
  ) => Compiled
  return made(
    (name: string, cursor: Cursor, tag: number, end: number) =>
      skipUnknown(tables[name] ?? {}, cursor, tag, end),
    (field: string, expected: string) => new TypeError(`${field} must be ${expected}.`),
    areNumbers,
  )
}

const isScalar = (kind: string): kind is Scalar => Object.hasOwn(scalars, kind)

/** Field number and wire type, as they are written in front of a value. */
const tagOf = (number: number, kind: string) => 8 * number + (isScalar(kind) ? scalars[kind].wireType : 2)

function readerOf(name: string, fields: readonly ProtobufField[]): string {
  const cases = fields.map(({ number, name: field, kind }) => {
    const place = `message.${field}`
    if (kind === 'doubles')
      return (
        `case ${8 * number + 1}: ${place} = cursor.doubles(tag, end, ${place}); break\n` +
        `case ${8 * number + 2}: ${place} = cursor.packedDoubles(end, ${place}); break`
      )
    const one = kind.replace('*', '')
    const isList = one !== kind
    const value = isScalar(one)
      ? scalars[one].read
      : `read${one}(cursor, cursor.end(end)${isList ? '' : `, ${place}`})`
    const store = isList ? `(${place} ??= []).push(${value})` : `${place} = ${value}`
    return `case ${tagOf(number, one)}: ${store}; break`
  })
  const [first, ...others] = fields
  // All components of a vector, in their order.
  const isVector =
    first?.kind === 'double' &&
    others.every(({ number, kind }, index) => kind === 'double' && number === first.number + 1 + index)
  const vector = `{ ${fields.map((field) => `${field.name}: cursor.taggedDouble()`).join()} }`
  const quick = isVector
    ? `if (!known && cursor.atDoubles(${tagOf(first.number, 'double')}, ${fields.length}, end)) return ${vector}\n`
    : ''
  return `function read${name}(cursor, end, known) {
${quick}const message = known ?? {}
while (cursor.at < end) {
const tag = cursor.tag(end)
switch (tag) {
${cases.join('\n')}
default: unknown(${JSON.stringify(name)}, cursor, tag, end)
}
}
return message
}`
}

function writerOf(name: string, fields: readonly ProtobufField[]): string {
  const parts = fields.map(({ number, name: field, kind }) => {
    const one = kind.replace('*', '')
    const tag = `writer.integer(${tagOf(number, one)})`
    const refuse = (test: string, expected: string) =>
      `if (!(${test})) throw wrong(${JSON.stringify(field)}, ${JSON.stringify(expected)})`
    const write =
      one === 'doubles'
        ? `${refuse('areNumbers(value)', 'an array of numbers')}; ${tag}; writer.doubles(value)`
        : isScalar(one)
          ? `${refuse(scalars[one].test, scalars[one].expected)}; ${tag}; ${scalars[one].write}`
          : `${refuse('typeof value === "object" && value !== null', 'an object')}; ${tag}; const start = writer.open(); write${one}(writer, value); writer.close(start)`
    return one === kind
      ? `{ const value = message.${field}; if (value !== undefined) { ${write} } }`
      : `for (const value of message.${field} ?? []) { ${write} }`
  })
  return `function write${name}(writer, message) {\n${parts.join('\n')}\n}`
}

function areNumbers(value: unknown): value is number[] {
  if (!Array.isArray(value)) return false
  for (let index = 0; index < value.length; index++) if (typeof value[index] !== 'number') return false
  return true
}

/** A tag without a case: a field of newer firmware, or a known field with a wrong wire type. */
function skipUnknown(known: object, cursor: Cursor, tag: number, end: number): void {
  if (tag >>> 3 in known) throw new Misread(`the field cannot have the wire type ${tag & 7}`)
  skipField(cursor, tag, end)
}

/**
 * Path of the field that begins at this position. Used only after a failure, because tracking a path while reading
 * costs time. Everything before the position has been read successfully.
 */
function fieldPath(tables: Tables, cursor: Cursor, message: string, place: number): string {
  const path: string[] = [message]
  let end = cursor.bytes.length
  let within = message
  cursor.at = 0
  while (cursor.at <= place && cursor.at < end) {
    const at = cursor.at
    const tag = readableTag(cursor, end)
    if (tag === undefined) break
    const [name = String(tag >>> 3), kind = ''] = tables[within]?.[tag >>> 3] ?? []
    const inside = kind.replace('*', '')
    if (at === place) return [...path, name].join('.')
    if (inside in tables) {
      const inner = cursor.end(end)
      if (place < inner) {
        path.push(name)
        end = inner
        within = inside
      } else cursor.at = inner
    } else skipField(cursor, tag, end)
  }
  return path.join('.')
}

function readableTag(cursor: Cursor, end: number): number | undefined {
  try {
    return cursor.tag(end)
  } catch {
    return undefined
  }
}

/** Bytes that are not a valid message. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError'
  /** Byte offset, from 0, of the field that cannot be read. */
  readonly offset: number
  /** Path of that field: `Frame.pose.pose.position.x`; unknown fields by number. */
  readonly path: string
  /** Whether the bytes end inside the field. */
  readonly truncated: boolean

  constructor(
    sentence: string,
    { offset, path, truncated }: { offset: number; path: string; truncated: boolean },
  ) {
    super(`${path} at byte ${offset}: ${sentence}.`)
    this.offset = offset
    this.path = path
    this.truncated = truncated
  }
}
