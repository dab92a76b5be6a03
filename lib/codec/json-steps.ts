import { cost, mostFields, mostMemory } from './memory-cost'
import { deepest, tooDeep } from './nesting'
import { setOwn } from './own-property'

/** Bytes that one step looks at, and that it hands to the engine's parser, about. One text is never cut in two. */
export const stepBytes = 16 * 1024

/**
 * Reads JSON as `JSON.parse` does, but in small steps, a yield after each, for `inSlices`. Whatever is nested too deep,
 * or would take many times the memory of its text, or has an object of very many fields, is refused.
 *
 * The engine's parser cannot pause, so it gets a long list or object in pieces: some members at a time, cut at commas.
 * A long member is a container of its own, or one text or number, which is a piece by itself.
 * @throws SyntaxError; RangeError for what is refused
 */
export function* jsonSteps(bytes: Buffer, { levels = deepest } = {}): Generator<undefined, unknown> {
  const memory = mostMemory(bytes.length)
  /** What is open at `at`, within a list of one that stands for the body. Used again and again: most are short. */
  const containers = [new Container(bytes).opened(0, 0x5b)]
  let inner = containers[0] as Container
  let depth = 0
  let taken = 0
  let isText = false
  let end = stepBytes
  for (let at = 0; at < bytes.length; at++) {
    if (at >= end) {
      yield
      end = at + stepBytes
    }
    const byte = bytes[at]
    if (isText) {
      if (byte === 0x5c /* \ */) at++
      else if (byte === 0x22 /* " */) isText = false
      continue
    }
    switch (byte) {
      case 0x22 /* " */:
        isText = true
        break
      case 0x5b /* [ */:
      case 0x7b /* { */:
        if (++depth > levels) throw tooDeep(levels)
        taken += cost.container
        inner = (containers[depth] ??= new Container(bytes)).opened(at + 1, byte)
        break
      case 0x5d /* ] */:
      case 0x7d /* } */: {
        if (depth === 0) throw noJson(at)
        const outer = containers[--depth] as Container
        const isLong = inner.isLong(at)
        if (isLong) outer.add(inner, at, byte)
        inner = outer
        // Brackets close one behind the other, and each may have left a piece to read.
        if (isLong) yield
        break
      }
      case 0x2c /* , */:
        if (depth === 0) throw noJson(at)
        taken += cost.value
        inner.next(at)
        break
      case 0x3a /* : */:
        taken += cost.field
        break
    }
    if (taken > memory) throw new RangeError(`The value would take more than ${memory} bytes of memory.`)
  }
  if (depth > 0) throw noJson(bytes.length)
  const body = inner.closed(bytes.length, 0x5d)
  if (body.length !== 1) throw noJson(0)
  return body[0]
}

/** Either of both, as the bracket says. */
type Value = unknown[] & Record<string, unknown>

/** A list or an object that is being looked over, and its value as far as it was read. */
class Container {
  start = 0
  private isList = false
  private value: Value | undefined
  /** Fields so far. */
  private count = 0
  /** Where what is not read yet begins. */
  private from = 0
  /** Where the present member begins. */
  private member = 0
  /** The present member is read already. */
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

  /** Whether it must be read by itself; a short one is read with what stands around it. */
  isLong(end: number): boolean {
    return this.value !== undefined || end - this.start > stepBytes
  }

  /** A comma has come. */
  next(comma: number): void {
    if (this.isRead || comma - this.from > stepBytes) this.read(comma)
    this.member = comma + 1
  }

  /** Takes in a container whose end has come, as the present member. */
  add(inner: Container, end: number, bracket: number): void {
    const value = inner.closed(end, bracket)
    if (this.isRead) throw noJson(this.from)
    if (this.member > this.from) this.read(this.member - 1)
    // What stands before the container, its name in an object, is read with `null` in the container's place.
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

  /** Reads what is not read yet, up to the end of a member. */
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
    if (this.count > mostFields) throw new RangeError(`An object has more than ${mostFields} fields.`)
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
