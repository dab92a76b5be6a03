/**
 * Renders a value as `JSON.stringify` does, except that {@link Float64} numbers look as the device prints them, always
 * with a decimal point or an exponent, and bigints and {@link HighPrecision} numbers keep their digits. A value that
 * JSON leaves out, such as `undefined`, is `null`.
 * @throws RangeError for a value that contains itself or is nested more than 200 levels deep
 */
export const renderJson = (value: unknown): string => render(jsonValue(value, ''), 0)

function render(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null'
    case 'boolean':
    case 'bigint':
      return `${value}`
    case 'object':
      if (value === null) return 'null'
      if (value instanceof Float64) return printedFloat(value.value)
      if (value instanceof HighPrecision) return value.digits
      if (depth === deepest) throw tooDeep()
      return Array.isArray(value)
        ? renderList(value, depth + 1)
        : renderFields(value as Record<string, unknown>, depth + 1)
    default:
      return 'null'
  }
}

function renderList(list: readonly unknown[], depth: number): string {
  let text = '['
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text += ','
    text += render(jsonValue(list[index], index), depth)
  }
  return `${text}]`
}

function renderFields(fields: Record<string, unknown>, depth: number): string {
  let text = ''
  for (const key of Object.keys(fields)) {
    const field = jsonValue(fields[key], key)
    if (field !== undefined) text += `${text === '' ? '{' : ','}${quotedKey(key)}${render(field, depth)}`
  }
  return text === '' ? '{}' : `${text}}`
}

/** `25.0`, `-0.0`, `0.1`, `1e+21`: whole numbers get a decimal point, by which typed clients recognise them. */
function printedFloat(value: number): string {
  if (Number.isInteger(value)) {
    return Math.abs(value) < 1e21 ? `${Object.is(value, -0) ? '-0' : value}.0` : `${value}`
  }
  return Number.isFinite(value) ? `${value}` : 'null'
}

const escaped = /["\\\u0000-\u001f\ud800-\udfff]/
const shortLength = 16

/** A quoted string as `JSON.stringify` writes it; faster for the usual texts, which need no escape. */
function quoted(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text)
}

function isPlain(text: string): boolean {
  if (text.length > shortLength) return !escaped.test(text)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return false
  }
  return true
}

const mostKeys = 1000
const keys = new Map<string, string>()

/** A field name with its quotes and colon. Cached, because the device's bodies repeat a few names. */
function quotedKey(key: string): string {
  let found = keys.get(key)
  if (found === undefined) {
    found = `${quoted(key)}:`
    if (keys.size === mostKeys) keys.clear()
    if (key.length <= 60) keys.set(key, found)
  }
  return found
}

/** What a body has too much of: fields in one object, or bytes of memory for its whole value. */
export interface Exceeded {
  of: 'fields' | 'memory'
  /** The most that is read. */
  most: number
}

/** A JSON text that is not read, because its value would be too large. */
export class ValueTooLarge extends RangeError {
  override readonly name = 'ValueTooLarge'

  constructor(
    sentence: string,
    readonly exceeded: Exceeded,
  ) {
    super(sentence)
  }
}

/** Marks a number that is sent as float64 even if its value is whole: `25.0` in JSON, type `D` in UBJSON. */
export class Float64 {
  constructor(readonly value: number) {}

  /** Keeps the output of a plain `JSON.stringify`, in a log for example, readable. */
  toJSON(): number {
    return this.value
  }
}

export const asFloat = (value: number): Float64 => new Float64(value)

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Characters of the longest number accepted; checking and converting much longer ones would be slow. */
const longestNumber = 4096

/** A decimal number that neither a number nor a bigint represents exactly; it keeps its digits. */
export class HighPrecision {
  /** @throws RangeError for text that is not a JSON number, or is longer than 4096 characters */
  constructor(readonly digits: string) {
    if (!isJsonNumber(digits)) throw new RangeError('The text is not a number, or is too long for one.')
  }

  /** A JSON parser would lose digits of a number, so a plain `JSON.stringify` writes a string. */
  toJSON(): string {
    return this.digits
  }
}

export const isJsonNumber = (text: string): boolean => text.length <= longestNumber && jsonNumber.test(text)

/** The number in a text: a number if that is exact, a bigint for larger integers, otherwise a `HighPrecision`. */
export function exactNumber(text: string): number | bigint | HighPrecision {
  if (/^-?\d+$/.test(text)) {
    if (text === '-0') return -0
    const integer = BigInt(text)
    const number = Number(integer)
    return Number.isSafeInteger(number) ? number : integer
  }
  const number = Number(text)
  return Number.isFinite(number) && canonical(text) === canonical(`${number}`)
    ? number
    : new HighPrecision(text)
}

/** Sign, significant digits and power of ten: identical for all notations of a number. */
function canonical(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutEnd(digits, '0')
  if (significant === '') return '0'
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length - (digits.length - significant.length))}`
}

/**
 * Scans a JSON text from one bracket or comma outside of strings to the next, before it is parsed, because parsing cannot
 * be interrupted: refuses a text that is nested too deep or would take many times its size in memory. One pass over the
 * bytes, without allocation.
 */
class JsonScan {
  /** The position of the bracket or comma, or of the last byte scanned. */
  at = -1
  /** Number of open lists and objects. */
  depth = 0
  private readonly memory: number
  private taken = 0
  private isString = false

  constructor(
    private readonly bytes: Uint8Array,
    private readonly levels = deepest,
  ) {
    this.memory = mostMemory(bytes.length)
  }

  /**
   * The next bracket or comma, or 0 where there is none before `end`.
   * @throws RangeError
   */
  next(end: number): number {
    const { bytes } = this
    let at = this.at + 1
    if (this.isString) at = this.afterString(at, end)
    for (; at < end; at++) {
      const byte = bytes[at] as number
      switch (byte) {
        case 0x22 /* " */:
          at = this.afterString(at + 1, end) - 1
          break
        case 0x3a /* : */:
          this.take(cost.field)
          break
        case 0x5b /* [ */:
        case 0x7b /* { */:
          if (++this.depth > this.levels) throw tooDeep(this.levels)
          this.take(cost.container)
          this.at = at
          return byte
        case 0x5d /* ] */:
        case 0x7d /* } */:
          this.depth--
          this.at = at
          return byte
        case 0x2c /* , */:
          this.take(cost.value)
          this.at = at
          return byte
      }
    }
    this.at = at - 1
    return 0
  }

  /** Where the string ends, or where to continue it: one byte behind the end if the last byte was a backslash. */
  private afterString(from: number, end: number): number {
    const { bytes } = this
    let at = from
    for (; at < end; at++) {
      const byte = bytes[at]
      if (byte === 0x5c /* \ */) at++
      else if (byte === 0x22 /* " */) {
        this.isString = false
        return at + 1
      }
    }
    this.isString = true
    return at
  }

  private take(bytes: number): void {
    this.taken += bytes
    if (this.taken > this.memory)
      throw new ValueTooLarge(`The value would take more than ${this.memory} bytes of memory.`, {
        of: 'memory',
        most: this.memory,
      })
  }
}

/** @throws RangeError for a text that is nested too deep or would take many times its size in memory */
export function checkJson(text: Uint8Array, levels = deepest): void {
  const scan = new JsonScan(text, levels)
  while (scan.next(text.length) !== 0);
}

/**
 * Approximate number of bytes that one step scans, and that it passes to the engine's parser. A text is never split.
 */
export const stepBytes = 16 * 1024

/**
 * Reads JSON as `JSON.parse` does, but in small steps, with a yield after each, for `inSlices`. Refuses a body that is
 * nested too deep, would take many times its size in memory, or has an object of very many fields.
 *
 * The engine's parser cannot pause, so it gets a long list or object in pieces: some members at a time, cut at commas.
 * A long member is a container of its own, or one text or number, which is a piece by itself.
 * @throws SyntaxError; RangeError for what is refused
 */
export function* jsonSteps(bytes: Buffer, { levels = deepest } = {}): Generator<undefined, unknown> {
  const scan = new JsonScan(bytes, levels)
  /** The open containers, inside a list of one that represents the body. Reused, because most are short. */
  const containers = [new Container(bytes).opened(0, 0x5b)]
  let inner = containers[0] as Container
  let end = stepBytes
  for (;;) {
    const byte = scan.next(Math.min(end, bytes.length))
    const { at, depth } = scan
    if (byte === 0) {
      if (end >= bytes.length) break
      yield
      end = at + 1 + stepBytes
    } else if (byte === 0x5b /* [ */ || byte === 0x7b /* { */) {
      inner = (containers[depth] ??= new Container(bytes)).opened(at + 1, byte)
    } else if (byte === 0x2c /* , */) {
      if (depth === 0) throw noJson(at)
      inner.next(at)
    } else {
      if (depth < 0) throw noJson(at)
      const outer = containers[depth] as Container
      const isLong = inner.isLong(at)
      if (isLong) outer.add(inner, at, byte)
      inner = outer
      // Closing brackets follow one another, and each may leave a piece to read.
      if (isLong) yield
    }
  }
  if (scan.depth > 0) throw noJson(bytes.length)
  const body = inner.closed(bytes.length, 0x5d)
  if (body.length !== 1) throw noJson(0)
  return body[0]
}

/** A list or an object; the bracket decides. */
type Value = unknown[] & Record<string, unknown>

/** A list or an object that is being scanned, with its value as far as it was read. */
class Container {
  start = 0
  private isList = false
  private value: Value | undefined
  /** Fields so far. */
  private count = 0
  /** Start of what is not read yet. */
  private from = 0
  /** Start of the present member. */
  private member = 0
  /** Whether the present member is already read. */
  private isRead = false

  constructor(private readonly bytes: Buffer) {}

  opened(start: number, bracket: number): this {
    this.start = this.from = this.member = start
    this.isList = bracket === 0x5b
    this.value = undefined
    this.count = 0
    this.isRead = false
    return this
  }

  /** Whether it must be read separately; a short one is read with what surrounds it. */
  isLong(end: number): boolean {
    return this.value !== undefined || end - this.start > stepBytes
  }

  /** Called at a comma. */
  next(comma: number): void {
    if (this.isRead || comma - this.from > stepBytes) this.read(comma)
    this.member = comma + 1
  }

  /** Adds a container that has ended, as the present member. */
  add(inner: Container, end: number, bracket: number): void {
    const value = inner.closed(end, bracket)
    if (this.isRead) throw noJson(this.from)
    if (this.member > this.from) this.read(this.member - 1)
    // What precedes the container (in an object, its name) is read with `null` in place of the container.
    const [name = ''] = Object.keys(this.parsed(this.from, inner.start - 1, 'null'))
    if (this.isList) this.own().push(value)
    else {
      this.countFields(1)
      setOwn(this.own(), name, value)
    }
    this.isRead = true
    this.from = end + 1
  }

  /** The whole value. */
  closed(end: number, bracket: number): Value {
    if (bracket !== (this.isList ? 0x5d : 0x7d)) throw noJson(end)
    if (!this.value) return this.parsed(this.from, end)
    this.read(end)
    return this.value
  }

  /** Reads everything up to the end of a member that is not read yet. */
  private read(end: number): void {
    if (this.isRead) {
      if (!/^[ \t\r\n]*$/.test(this.bytes.toString('latin1', this.from, end))) throw noJson(this.from, end)
    } else {
      const own = this.own()
      const members = this.parsed(this.from, end)
      const names = Object.keys(members)
      if (names.length === 0) throw noJson(this.from, end)
      if (this.isList) for (const member of members) own.push(member)
      else {
        this.countFields(names.length)
        for (const name of names) setOwn(own, name, members[name])
      }
    }
    this.isRead = false
    this.from = end + 1
  }

  private countFields(more: number): void {
    this.count += more
    if (this.count <= mostFields) return
    throw new ValueTooLarge(`An object has more than ${mostFields} fields.`, {
      of: 'fields',
      most: mostFields,
    })
  }

  private own(): Value {
    return (this.value ??= (this.isList ? [] : {}) as Value)
  }

  private parsed(from: number, end: number, last = ''): Value {
    const members = this.bytes.toString('utf8', from, end) + last
    try {
      return JSON.parse(this.isList ? `[${members}]` : `{${members}}`) as Value
    } catch {
      throw noJson(from, end)
    }
  }
}

const noJson = (from: number, end = from): SyntaxError =>
  new SyntaxError(
    `The JSON cannot be read ${end > from ? `between bytes ${from} and ${end}` : `at byte ${from}`}.`,
  )

/**
 * The value that JSON writes: the result of `toJSON`, boxed values unboxed, `undefined` for what it leaves out. Our own
 * number classes stay as they are.
 */
export function jsonValue(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object') {
    if (typeof value !== 'function' && typeof value !== 'symbol') return value
    return hasToJson(value) ? unboxed(value.toJSON(String(key))) : undefined
  }
  if (value === null || value instanceof Float64) return value
  if (hasToJson(value) && !(value instanceof HighPrecision)) return unboxed(value.toJSON(String(key)))
  return unboxed(value)
}

function unboxed(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  return value instanceof Number ||
    value instanceof String ||
    value instanceof Boolean ||
    value instanceof BigInt
    ? value.valueOf()
    : value
}

const hasToJson = (value: object | symbol): value is { toJSON: (key: string) => unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === 'function'

/**
 * Approximate bytes of memory per part of a decoded value, measured with Node.js 20. Texts take as much as they do in
 * transit, and a value of a list twice its 8 bytes, because a list is copied whenever it grows.
 */
export const cost = { container: 64, field: 64, value: 16 }

/** Memory that a body may always use, whatever its size: enough for ordinary answers. */
const always = 2 * 1024 * 1024
/** A body of short lists and fields takes up to ten times its size. */
const timesItsBytes = 16
/** A gateway computer with 512 MB has other work to do. */
const most = 40 * 1024 * 1024

/** Bytes of memory that the decoded value of a body may take. @param bytes length of the body */
export const mostMemory = (bytes: number): number => Math.min(most, always + timesItsBytes * bytes)

/**
 * Most fields of one object in a long body; the device's objects have some dozens. Visiting each field of a bigger one,
 * as a check or a copy does, blocks the event loop, because the engine stores such an object as a hash table.
 */
export const mostFields = 16_384

/** Deepest nesting of containers that is read and written. No body of the device comes close. */
export const deepest = 200

export const tooDeep = (levels = deepest): RangeError =>
  new RangeError(`The value contains itself, or is nested more than ${levels} levels deep.`)

/** Removes these characters from the end of a text; a regular expression would start again at each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Sets a property named by a message, `__proto__` included, without touching the object's prototype. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  } else target[key] = value
}
