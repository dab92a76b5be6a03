import {
  cost,
  deepest,
  exactNumber,
  type Exceeded,
  type HighPrecision,
  isJsonNumber,
  mostFields,
  mostMemory,
  setOwn,
} from '../json'
import { textOf } from '../text'

export interface DecodeOptions {
  /** Limit for values without bytes of their own in lists of one type, all lists together. @default 100000 */
  maxFreeValues?: number
}

/**
 * Decodes one value of Universal Binary JSON, draft 12.
 *
 * Integers beyond the safe range become bigints; high-precision numbers become a number, a bigint or a `HighPrecision`,
 * whichever is exact. Numbers that JSON cannot hold (NaN, infinity) become null, characters strings, lists of any type
 * arrays. Every key becomes an own property, `__proto__` included; of equal keys the last one counts.
 * @throws UbjsonError for anything else, with the byte offset; also for more than 200 levels, and for a value that
 * would take more memory than 16 times its bytes and 2 MiB, or than 40 MiB
 */
export function decodeUbjson(bytes: Uint8Array, { maxFreeValues = 100_000 }: DecodeOptions = {}): unknown {
  return new Decoder(bytes, maxFreeValues).message()
}

/** Decodes as `decodeUbjson` does, in small steps with a yield after each, for `inSlices`. */
export function ubjsonSteps(
  bytes: Uint8Array,
  { maxFreeValues = 100_000 }: DecodeOptions = {},
): Generator<undefined, unknown> {
  return new DecoderInSteps(bytes, maxFreeValues).steps()
}

/** Fewest bytes of a value of each type, without its marker. */
const smallest = new Map<number, number>(
  Object.entries({
    Z: 0,
    T: 0,
    F: 0,
    i: 1,
    U: 1,
    I: 2,
    l: 4,
    L: 8,
    d: 4,
    D: 8,
    C: 1,
    S: 2,
    H: 3,
    '[': 1,
    '{': 1,
  }).map(([marker, bytes]) => [marker.charCodeAt(0), bytes]),
)
/** A length of zero and its marker. */
const smallestKey = 2

/** Decodes UBJSON from its first byte to its last, at once. */
class Decoder {
  protected readonly cursor: Cursor
  protected depth = 0
  /** Bytes of memory left. */
  private memory: number

  constructor(
    bytes: Uint8Array,
    private freeValues: number,
  ) {
    this.cursor = new Cursor(bytes)
    this.memory = mostMemory(bytes.length)
  }

  message(): unknown {
    const value = this.value(this.cursor.marker())
    this.close()
    return value
  }

  /** Only no-ops may follow the value. */
  protected close(): void {
    const { cursor } = this
    while (cursor.bytes[cursor.at] === 0x4e /* N */) cursor.at++
    if (cursor.left > 0) cursor.fail('More bytes follow after the value')
  }

  protected value(marker: number): unknown {
    const { cursor } = this
    switch (marker) {
      case 0x53 /* S */:
        return this.text()
      case 0x69 /* i */:
        return cursor.int8()
      case 0x44 /* D */:
        return finite(cursor.float64())
      case 0x7b /* { */:
        return this.fields()
      case 0x5b /* [ */:
        return this.list()
      case 0x54 /* T */:
        return true
      case 0x46 /* F */:
        return false
      case 0x5a /* Z */:
        return null
      case 0x55 /* U */:
        return cursor.uint8()
      case 0x49 /* I */:
        return cursor.int16()
      case 0x6c /* l */:
        return cursor.int32()
      case 0x4c /* L */:
        return cursor.int64()
      case 0x64 /* d */:
        return finite(cursor.float32())
      case 0x43 /* C */:
        return this.character()
      case 0x48 /* H */:
        return this.highPrecision()
      default:
        return cursor.fail('No value begins like this', cursor.at - 1)
    }
  }

  private text(): string {
    return readText(this.cursor, this.cursor.length(this.cursor.next()))
  }

  private character(): string {
    const code = this.cursor.uint8()
    if (code > 0x7f) this.cursor.fail('A character is not ASCII', this.cursor.at - 1)
    return String.fromCharCode(code)
  }

  private highPrecision(): number | bigint | HighPrecision {
    const start = this.cursor.at
    const digits = this.text()
    if (!isJsonNumber(digits)) this.cursor.fail('A high-precision number is none, or too long', start)
    return exactNumber(digits)
  }

  private list(): unknown[] {
    const { cursor } = this
    this.enter()
    const list: unknown[] = []
    const type = this.type()
    const count = this.count(type, 0)
    if (count === undefined) {
      for (let marker = cursor.marker(); marker !== 0x5d /* ] */; marker = cursor.marker())
        list.push(this.listed(marker))
    } else {
      for (let left = count; left > 0; left--) list.push(this.listed(type ?? cursor.marker()))
    }
    this.depth--
    return list
  }

  private listed(marker: number): unknown {
    this.spend(cost.value)
    return this.value(marker)
  }

  private fields(): Record<string, unknown> {
    const { cursor } = this
    this.enter()
    const fields: Record<string, unknown> = {}
    const type = this.type()
    const count = this.count(type, smallestKey)
    if (count === undefined) {
      for (let marker = cursor.marker(); marker !== 0x7d /* } */; marker = cursor.marker())
        this.field(fields, marker)
    } else {
      for (let left = count; left > 0; left--) this.field(fields, cursor.marker(), type)
    }
    this.depth--
    return fields
  }

  private field(fields: Record<string, unknown>, lengthMarker: number, type?: number): void {
    const key = this.key(lengthMarker)
    setOwn(fields, key, this.value(type ?? this.cursor.marker()))
  }

  protected key(lengthMarker: number): string {
    this.spend(cost.field)
    return readText(this.cursor, this.cursor.length(lengthMarker))
  }

  protected spend(bytes: number): void {
    this.memory -= bytes
    if (this.memory >= 0) return
    const { at, bytes: body } = this.cursor
    this.cursor.fail('The value would take many times the memory of its bytes', at, {
      of: 'memory',
      most: mostMemory(body.length),
    })
  }

  protected enter(): void {
    this.spend(cost.container)
    if (++this.depth > deepest)
      this.cursor.fail(`Nested more than ${deepest} levels deep`, this.cursor.at - 1)
  }

  /** The one type of all values of a container, if it declares one. */
  protected type(): number | undefined {
    const { cursor } = this
    if (cursor.bytes[cursor.at] !== 0x24 /* $ */) return undefined
    cursor.at++
    const type = cursor.next()
    if (!smallest.has(type)) cursor.fail('No container holds values of this type', cursor.at - 1)
    if (cursor.bytes[cursor.at] !== 0x23 /* # */) cursor.fail('A container of one type lacks its count')
    return type
  }

  /** The declared number of values, if the container declares it; at most what the remaining bytes can hold. */
  protected count(type: number | undefined, keyBytes: number): number | undefined {
    const { cursor } = this
    if (cursor.bytes[cursor.at] !== 0x23 /* # */) return undefined
    const start = cursor.at++
    const count = cursor.length(cursor.next())
    const bytes = keyBytes + (type === undefined ? 1 : (smallest.get(type) ?? 0))
    if (count * bytes > cursor.left) cursor.fail('A container announces more values than bytes follow', start)
    if (bytes === 0) this.freeValues -= count
    if (this.freeValues < 0) cursor.fail('A container announces too many values', start)
    return count
  }
}

/** The specification encodes infinity as null; other numbers that JSON lacks are treated alike. */
const finite = (number: number): number | null => (Number.isFinite(number) ? number : null)

/** Reads a text of the given number of UTF-8 bytes. */
function readText(cursor: Cursor, length: number): string {
  const start = cursor.skip(length)
  return textOf(cursor.bytes, start, start + length) ?? cursor.fail('A text is not UTF-8', start)
}

/** A position in the bytes that advances with each read, and never past their end. */
class Cursor {
  at = 0
  readonly bytes: Buffer
  private readonly view: DataView

  constructor(bytes: Uint8Array) {
    const { buffer, byteOffset, byteLength } = bytes
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(buffer, byteOffset, byteLength)
    this.view = new DataView(buffer, byteOffset, byteLength)
  }

  get left(): number {
    return this.bytes.length - this.at
  }

  fail(sentence: string, offset = this.at, exceeded?: Exceeded): never {
    throw new UbjsonError(sentence, offset, exceeded)
  }

  /** The next marker, skipping no-ops. */
  marker(): number {
    for (;;) {
      const byte = this.bytes[this.at]
      if (byte === undefined) this.fail('The UBJSON ends where a value or an end should stand')
      this.at++
      if (byte !== 0x4e /* N */) return byte
    }
  }

  next(): number {
    return this.bytes[this.skip(1)] as number
  }

  /** Skips a number of bytes and returns where they begin. */
  skip(length: number): number {
    const start = this.at
    if (length > this.bytes.length - start) this.fail(`The UBJSON ends ${length - this.left} bytes too early`)
    this.at = start + length
    return start
  }

  int8(): number {
    return this.view.getInt8(this.skip(1))
  }
  uint8(): number {
    return this.view.getUint8(this.skip(1))
  }
  int16(): number {
    return this.view.getInt16(this.skip(2))
  }
  int32(): number {
    return this.view.getInt32(this.skip(4))
  }
  /** A number if it is exact, otherwise a bigint. */
  int64(): number | bigint {
    const start = this.skip(8)
    const number = this.view.getInt32(start) * 4294967296 + this.view.getUint32(start + 4)
    return Number.isSafeInteger(number) ? number : this.view.getBigInt64(start)
  }
  float32(): number {
    return this.view.getFloat32(this.skip(4))
  }
  float64(): number {
    return this.view.getFloat64(this.skip(8))
  }

  /** A length or count: a non-negative integer of any type, with its marker. */
  length(marker: number): number {
    const start = this.at - 1
    const length = this.integer(marker)
    if (length === undefined) this.fail('A length must be an integer', start)
    if (length < 0) this.fail('A length is negative', start)
    // A length that a number cannot hold exceeds the bytes anyway.
    return Number(length)
  }

  private integer(marker: number): number | bigint | undefined {
    switch (marker) {
      case 0x69 /* i */:
        return this.int8()
      case 0x55 /* U */:
        return this.uint8()
      case 0x49 /* I */:
        return this.int16()
      case 0x6c /* l */:
        return this.int32()
      case 0x4c /* L */:
        return this.int64()
      default:
        return undefined
    }
  }
}

/** Bytes that are not valid UBJSON, or that exceed a limit. */
export class UbjsonError extends Error {
  override readonly name = 'UbjsonError'

  constructor(
    sentence: string,
    /** Byte offset, from 0, where reading failed. */
    readonly offset: number,
    /** Set if the value would be too large. */
    readonly exceeded?: Exceeded,
  ) {
    super(`${sentence}, at byte ${offset}.`)
  }
}

/** Most values per step: some hundred microseconds of work. A text is never split. */
export const stepValues = 256
const stepBytes = 16 * 1024

interface OpenContainer {
  list: unknown[] | undefined
  fields: Record<string, unknown>
  /** The one type of all values, if the container declares one. */
  type: number | undefined
  /** Values still to come, if their number is declared. */
  left: number | undefined
  /** Fields so far. */
  count: number
}

/**
 * Decodes UBJSON in steps: open containers are kept in a list and not on the stack, so that decoding can pause
 * anywhere. Slower than `Decoder`, which suits short bodies.
 */
class DecoderInSteps extends Decoder {
  private readonly open: OpenContainer[] = []

  /** The marker of the next value, or of its key's length; undefined at the end of the container. */
  private nextMarker(inner: OpenContainer): number | undefined {
    const { cursor } = this
    if (inner.left === undefined) {
      const marker = cursor.marker()
      return marker === (inner.list ? 0x5d /* ] */ : 0x7d) /* } */ ? undefined : marker
    }
    if (inner.left === 0) return undefined
    inner.left--
    return inner.list && inner.type !== undefined ? inner.type : cursor.marker()
  }

  /** A value, or an empty container whose values are read next. */
  private begun(marker: number): unknown {
    if (marker !== 0x5b /* [ */ && marker !== 0x7b /* { */) return this.value(marker)
    this.enter()
    const list = marker === 0x5b ? [] : undefined
    const fields = {}
    const type = this.type()
    this.open.push({ list, fields, type, left: this.count(type, list ? 0 : smallestKey), count: 0 })
    return list ?? fields
  }

  *steps(): Generator<undefined, unknown> {
    const { cursor, open } = this
    let values = stepValues
    let end = cursor.at + stepBytes
    const whole = this.begun(cursor.marker())
    for (let inner = open.at(-1); inner; inner = open.at(-1)) {
      if (--values < 0 || cursor.at > end) {
        yield
        values = stepValues
        end = cursor.at + stepBytes
      }
      const marker = this.nextMarker(inner)
      if (marker === undefined) {
        open.pop()
        this.depth--
      } else if (inner.list) {
        this.spend(cost.value)
        inner.list.push(this.begun(marker))
      } else {
        if (++inner.count > mostFields) tooManyFields(cursor)
        const key = this.key(marker)
        setOwn(inner.fields, key, this.begun(inner.type ?? cursor.marker()))
      }
    }
    this.close()
    return whole
  }
}

const tooManyFields = (cursor: Cursor): never =>
  cursor.fail(`An object has more than ${mostFields} fields`, cursor.at, { of: 'fields', most: mostFields })
