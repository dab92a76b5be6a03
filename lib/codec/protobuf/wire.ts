/** Reads and writes the wire format of protobuf. */
import { textOf } from '../text'

/** Why reading stopped. Thrown only inside the decoder, which adds the field. */
export class Misread extends Error {
  constructor(
    sentence: string,
    readonly truncated = false,
  ) {
    super(sentence)
  }
}

/** Creating a view takes as long as reading ten doubles byte by byte. */
const fewBytes = 128

const scratch = new DataView(new ArrayBuffer(8))

/**
 * A position in serialized messages that advances with each read. Every read gets the end of its message and reads
 * nothing beyond it.
 */
export class Cursor {
  at = 0
  /** Start of the field that was begun last. */
  field = 0
  readonly bytes: Buffer
  private readonly view: DataView | undefined
  /** The varint that was read last, in halves of 32 bits. */
  private low = 0
  private high = 0

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.length > fewBytes) this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Field number and wire type of the next field, as encoded: number × 8 + type. */
  tag(end: number): number {
    this.field = this.at
    const tag = this.bytes[this.at] as number
    if (tag < 0x80 && tag > 7) {
      this.at++
      return tag
    }
    return this.longTag(end)
  }

  double(end: number): number {
    return this.doubleAt(this.skip(8, end))
  }

  float(end: number): number {
    return this.bytes.readFloatLE(this.skip(4, end))
  }

  /** As a view. */
  content(end: number): Buffer {
    const contentEnd = this.end(end)
    const content = this.bytes.subarray(this.at, contentEnd)
    this.at = contentEnd
    return content
  }

  bool(end: number): boolean {
    this.varint(end)
    return (this.high | this.low) !== 0
  }

  /** Ignores bits above 32, as all decoders do. */
  int32(end: number): number {
    this.varint(end)
    return this.low
  }

  uint32(end: number): number {
    return this.int32(end) >>> 0
  }

  uint64(end: number): bigint {
    return BigInt.asUintN(64, BigInt(this.int64(end)))
  }

  /** A number if it is exact, otherwise a bigint. */
  int64(end: number): number | bigint {
    this.varint(end)
    const { high, low } = this
    const number = high * 4294967296 + (low >>> 0)
    if (Number.isSafeInteger(number)) return number
    return (BigInt(high) << 32n) | BigInt(low >>> 0)
  }

  text(end: number): string {
    const textEnd = this.end(end)
    const text = textOf(this.bytes, this.at, textEnd)
    if (text === undefined) throw new Misread('the text is not UTF-8')
    this.at = textEnd
    return text
  }

  /** Whether exactly this many doubles remain up to the end, in fields with ascending numbers from the given tag. */
  atDoubles(firstTag: number, count: number, end: number): boolean {
    if (end - this.at !== 9 * count) return false
    for (let index = 0; index < count; index++)
      if (this.bytes[this.at + 9 * index] !== firstTag + 8 * index) return false
    return true
  }

  /** A double after a one-byte tag that was already read. */
  taggedDouble(): number {
    this.at += 9
    return this.doubleAt(this.at - 8)
  }

  /** A double and all that follow it under the same one-byte tag, appended to those read before. */
  doubles(tag: number, end: number, list: number[] = []): number[] {
    list.push(this.double(end))
    while (this.at < end && this.bytes[this.at] === tag) {
      this.field = this.at++
      list.push(this.double(end))
    }
    return list
  }

  packedDoubles(end: number, before?: number[]): number[] {
    const listEnd = this.end(end)
    const count = (listEnd - this.at) / 8
    if (!Number.isInteger(count)) throw new Misread(`${8 * count} bytes do not hold whole doubles`)
    const start = before?.length ?? 0
    const list = before ?? new Array<number>(count)
    for (let index = 0; index < count; index++) list[start + index] = this.doubleAt(this.at + 8 * index)
    this.at = listEnd
    return list
  }

  /** End of the content whose length comes next. */
  end(end: number): number {
    const first = this.bytes[this.at] as number
    // Nearly every length: one byte, and all of the content is there.
    if (first < 0x80 && this.at + first < end) return ++this.at + first
    this.varint(end)
    const length = (this.high >>> 0) * 4294967296 + (this.low >>> 0)
    const inner = this.at + length
    if (inner > end) throw new Misread(`${length} bytes should follow, ${end - this.at} do`, true)
    return inner
  }

  private doubleAt(start: number): number {
    if (this.view) return this.view.getFloat64(start, true)
    const { bytes } = this
    scratch.setInt32(0, int32At(bytes, start), true)
    scratch.setInt32(4, int32At(bytes, start + 4), true)
    return scratch.getFloat64(0, true)
  }

  /** Skips a number of bytes and returns where they begin. */
  skip(length: number, end: number): number {
    const start = this.at
    if (length > end - start) throw new Misread(`${length} bytes should follow, ${end - start} do`, true)
    this.at = start + length
    return start
  }

  /** As `tag`, for all tags, and without marking the start of a field. */
  longTag(end: number): number {
    this.varint(end)
    if (this.high !== 0) throw new Misread('no field has this number')
    const tag = this.low >>> 0
    if (tag < 8) throw new Misread('no field has the number 0')
    return tag
  }

  /** Leaves the two halves in `high` and `low`. */
  varint(end: number): void {
    const { bytes } = this
    const first = bytes[this.at] as number
    if (first < 0x80 && this.at < end) {
      this.at++
      this.low = first
      this.high = 0
      return
    }
    let low = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.next(end)
      low |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        this.low = low
        this.high = 0
        return
      }
    }
    this.longVarint(low, end)
  }

  /** A varint after its first four bytes, which hold 28 bits. */
  private longVarint(first: number, end: number): void {
    const fifth = this.next(end)
    this.low = first | ((fifth & 0x7f) << 28)
    let high = (fifth & 0x7f) >>> 4
    let last = fifth
    for (let shift = 3; last >= 0x80; shift += 7) {
      last = this.next(end)
      if (shift === 31 && last > 1) throw new Misread('the number is longer than 64 bits')
      high |= (last & 0x7f) << shift
    }
    this.high = high
  }

  private next(end: number): number {
    if (this.at >= end) throw new Misread('the number does not end', true)
    return this.bytes[this.at++] as number
  }
}

const int32At = (bytes: Uint8Array, start: number) =>
  (bytes[start] as number) |
  ((bytes[start + 1] as number) << 8) |
  ((bytes[start + 2] as number) << 16) |
  ((bytes[start + 3] as number) << 24)

const deepestGroup = 32

/** Skips the rest of an unknown field, such as one of newer firmware. */
export function skipField(cursor: Cursor, tag: number, end: number, depth = 0): void {
  switch (tag & 7) {
    case 0:
      cursor.varint(end)
      return
    case 1:
      cursor.skip(8, end)
      return
    case 2:
      cursor.at = cursor.end(end)
      return
    case 3:
      skipGroup(cursor, tag, end, depth)
      return
    case 4:
      throw new Misread('a group ends that did not begin')
    case 5:
      cursor.skip(4, end)
      return
    default:
      throw new Misread(`there is no wire type ${tag & 7}`)
  }
}

function skipGroup(cursor: Cursor, start: number, end: number, depth: number): void {
  if (depth === deepestGroup) throw new Misread('groups are nested too deep')
  for (;;) {
    if (cursor.at >= end) throw new Misread('the group does not end', true)
    const tag = cursor.longTag(end)
    if (tag === start + 1) return
    skipField(cursor, tag, end, depth + 1)
  }
}

/** Longer than a device's datagrams with covariance. */
const usualBytes = 4096

/** Bytes of the longest varint. */
const longestVarint = 10

/** Writes one message after another, each from its first byte to its last, in memory that it uses again. */
export class Writer {
  private bytes = Buffer.allocUnsafeSlow(usualBytes)
  private view = viewOf(this.bytes)
  private at = 0

  start(): void {
    this.at = 0
  }

  /** Everything that was written since the start, in a buffer of its own. */
  finish(): Buffer {
    const whole = Buffer.allocUnsafe(this.at)
    this.bytes.copy(whole, 0, 0, this.at)
    return whole
  }

  double(value: number): void {
    this.need(8)
    this.view.setFloat64(this.at, value, true)
    this.at += 8
  }

  float(value: number): void {
    this.need(4)
    this.view.setFloat32(this.at, value, true)
    this.at += 4
  }

  /** Writes doubles with their length in bytes in front. */
  doubles(values: readonly number[]): void {
    const length = 8 * values.length
    this.integer(length)
    this.need(length)
    const { view, at } = this
    for (let index = 0; index < values.length; index++)
      view.setFloat64(at + 8 * index, values[index] as number, true)
    this.at += length
  }

  /** Writes a varint of 64 bits: negative numbers take ten bytes. */
  integer(value: number | bigint): void {
    this.need(longestVarint)
    if (value >= 0 && value < 0x80) {
      this.bytes[this.at++] = Number(value)
      return
    }
    if (typeof value === 'bigint' || value < 0) {
      this.bigInteger(BigInt.asUintN(64, BigInt(value)))
      return
    }
    const { bytes } = this
    let { at } = this
    let left = value
    // Shifting works on 32 bits.
    for (; left >= 0x8000_0000; left = Math.floor(left / 0x80)) bytes[at++] = (left % 0x80) + 0x80
    for (; left >= 0x80; left >>>= 7) bytes[at++] = (left & 0x7f) | 0x80
    bytes[at++] = left
    this.at = at
  }

  /** Writes a text with its length in front. */
  text(text: string): void {
    if (text.length < 0x80 && this.shortAscii(text)) return
    const length = Buffer.byteLength(text)
    this.integer(length)
    this.need(length)
    this.bytes.write(text, this.at, length)
    this.at += length
  }

  /** Writes bytes with their length in front. */
  content(content: Uint8Array): void {
    this.integer(content.length)
    this.need(content.length)
    this.bytes.set(content, this.at)
    this.at += content.length
  }

  /** Begins a part with its length in front; `close` takes what this returns. */
  open(): number {
    this.need(1)
    return ++this.at
  }

  /** Ends a part: most lengths fit the byte that was left for them. */
  close(start: number): void {
    const length = this.at - start
    if (length < 0x80) {
      this.bytes[start - 1] = length
      return
    }
    let more = 1
    for (let limit = 0x80 * 0x80; length >= limit; limit *= 0x80) more++
    this.need(more)
    this.bytes.copyWithin(start + more, start, this.at)
    this.at = start - 1
    this.integer(length)
    this.at += length
  }

  /** The engine's encoder costs more than a few letters do. */
  private shortAscii(text: string): boolean {
    const { length } = text
    this.need(length + 1)
    const { bytes, at } = this
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index)
      if (code > 0x7f) return false
      bytes[at + 1 + index] = code
    }
    bytes[at] = length
    this.at = at + 1 + length
    return true
  }

  private bigInteger(value: bigint): void {
    let left = value
    for (; left > 0x7fn; left >>= 7n) this.bytes[this.at++] = Number(left & 0x7fn) | 0x80
    this.bytes[this.at++] = Number(left)
  }

  /** Makes room for so many more bytes. */
  private need(more: number): void {
    if (this.at + more > this.bytes.length) this.grow(more)
  }

  private grow(more: number): void {
    const longer = Buffer.allocUnsafeSlow(2 * (this.at + more))
    this.bytes.copy(longer)
    this.bytes = longer
    this.view = viewOf(longer)
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer) => new DataView(buffer, byteOffset, byteLength)
