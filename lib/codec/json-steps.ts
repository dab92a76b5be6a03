import { JsonScan } from './json-scan'
import { ValueTooLarge } from './exceeded'
import { mostFields } from './memory-cost'
import { deepest } from './nesting'
import { setOwn } from './own-property'

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
  /** The open containers, inside a list of one that stands for the body. Reused, because most are short. */
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
    // What stands before the container (in an object, its name) is read with `null` in the container's place.
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
