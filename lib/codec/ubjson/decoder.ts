import { exactNumber, isJsonNumber, type HighPrecision, cost, mostMemory, deepest } from '../json-value'
import { setOwn } from '../own-property'
import { Cursor } from './cursor'
import { textOf } from '../text'

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
export const smallestKey = 2

/** Decodes UBJSON from its first byte to its last, at once. */
export class Decoder {
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
