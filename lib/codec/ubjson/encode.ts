import { deepest, Float64, HighPrecision, jsonValue, tooDeep } from '../json'

/**
 * Encodes a value as Universal Binary JSON, draft 12. Leaves out what `JSON.stringify` leaves out.
 *
 * Integers take the smallest type; {@link Float64}, -0 and all other numbers are float64. A bigint is an int64 or,
 * beyond its range, a high-precision number. Bytes (`Uint8Array`) are a list of type uint8. NaN and infinity are null,
 * as is a top-level value that JSON leaves out. A lone surrogate in a text becomes U+FFFD.
 * @throws RangeError for a value that contains itself or is nested more than 200 levels deep
 */
export function encodeUbjson(value: unknown): Buffer {
  const writer = new Writer()
  write(writer, resolved(value, ''), 0)
  return writer.finish()
}

/** Bytes stay bytes, although a Buffer has a `toJSON`. */
const resolved = (value: unknown, key: string | number): unknown =>
  value instanceof Uint8Array ? value : jsonValue(value, key)

function write(writer: Writer, value: unknown, depth: number): void {
  if (typeof value === 'string') writeText(writer, 0x53 /* S */, value)
  else if (typeof value === 'number') writeNumber(writer, value)
  else if (typeof value === 'boolean') writer.byte(value ? 0x54 /* T */ : 0x46 /* F */)
  else if (typeof value === 'bigint') writeBigint(writer, value)
  else if (typeof value === 'object' && value !== null) writeObject(writer, value, depth)
  else writer.byte(0x5a /* Z */)
}

function writeText(writer: Writer, marker: number, text: string): void {
  writer.byte(marker)
  writer.text(text)
}

function writeNumber(writer: Writer, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) writer.integer(value)
  else writeFloat(writer, value)
}

function writeFloat(writer: Writer, value: number): void {
  if (Number.isFinite(value)) writer.float64(value)
  else writer.byte(0x5a /* Z */)
}

function writeBigint(writer: Writer, value: bigint): void {
  if (BigInt.asIntN(64, value) === value) writer.int64(value)
  else writeText(writer, 0x48 /* H */, value.toString())
}

function writeObject(writer: Writer, value: object, depth: number): void {
  if (value instanceof Float64) writeFloat(writer, value.value)
  else if (value instanceof HighPrecision) writeText(writer, 0x48 /* H */, value.digits)
  else if (value instanceof Uint8Array) writeBytes(writer, value)
  else if (depth === deepest) throw tooDeep()
  else if (Array.isArray(value)) writeList(writer, value, depth + 1)
  else writeFields(writer, value as Record<string, unknown>, depth + 1)
}

function writeList(writer: Writer, list: readonly unknown[], depth: number): void {
  writer.byte(0x5b /* [ */)
  for (let index = 0; index < list.length; index++) write(writer, resolved(list[index], index), depth)
  writer.byte(0x5d /* ] */)
}

function writeFields(writer: Writer, fields: Record<string, unknown>, depth: number): void {
  writer.byte(0x7b /* { */)
  for (const key of Object.keys(fields)) {
    const field = resolved(fields[key], key)
    if (field === undefined) continue
    writer.text(key)
    write(writer, field, depth)
  }
  writer.byte(0x7d /* } */)
}

function writeBytes(writer: Writer, bytes: Uint8Array): void {
  for (const marker of [0x5b /* [ */, 0x24 /* $ */, 0x55 /* U */, 0x23 /* # */]) writer.byte(marker)
  writer.integer(bytes.length)
  writer.raw(bytes)
}

/** Largest buffer kept for the next message, in bytes. */
const keptSize = 1 << 20
let spare: Buffer | undefined

/** Writes bytes in order into a buffer that grows. */
class Writer {
  private bytes: Buffer
  private view: DataView
  private at = 0

  constructor() {
    this.bytes = spare ?? Buffer.allocUnsafeSlow(4096)
    // A `toJSON` may encode a message of its own in the meantime.
    spare = undefined
    this.view = new DataView(this.bytes.buffer)
  }

  /** Returns what was written. The writer cannot be used afterwards. */
  finish(): Buffer {
    const written = Buffer.from(this.bytes.subarray(0, this.at))
    if (this.bytes.length <= keptSize) spare = this.bytes
    return written
  }

  /** Makes room for this many more bytes. */
  private need(length: number): void {
    if (this.at + length <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(this.at + length, this.bytes.length * 2))
    grown.set(this.bytes.subarray(0, this.at))
    this.bytes = grown
    this.view = new DataView(grown.buffer)
  }

  byte(value: number): void {
    this.need(1)
    this.bytes[this.at++] = value
  }

  float64(value: number): void {
    this.need(9)
    this.bytes[this.at] = 0x44 /* D */
    this.view.setFloat64(this.at + 1, value)
    this.at += 9
  }

  int64(value: bigint): void {
    this.need(9)
    this.bytes[this.at] = 0x4c /* L */
    this.view.setBigInt64(this.at + 1, value)
    this.at += 9
  }

  /** A safe integer in the smallest type that holds it. */
  integer(value: number): void {
    this.need(9)
    this.at += this.writeInteger(this.at, value)
  }

  /** @returns the number of bytes written */
  private writeInteger(at: number, value: number): number {
    const { bytes, view } = this
    if (value >= -128 && value < 256) {
      bytes[at] = value < 128 ? 0x69 /* i */ : 0x55 /* U */
      bytes[at + 1] = value
      return 2
    }
    if (value >= -32768 && value < 32768) {
      bytes[at] = 0x49 /* I */
      view.setInt16(at + 1, value)
      return 3
    }
    if (value >= -2147483648 && value < 2147483648) {
      bytes[at] = 0x6c /* l */
      view.setInt32(at + 1, value)
      return 5
    }
    bytes[at] = 0x4c /* L */
    view.setInt32(at + 1, Math.floor(value / 4294967296))
    view.setUint32(at + 5, value >>> 0)
    return 9
  }

  /** A text with its length, as UTF-8; a lone surrogate becomes U+FFFD. */
  text(text: string): void {
    const { length } = text
    if (length > 40 || !this.shortText(text)) this.anyText(text)
  }

  private shortText(text: string): boolean {
    const { length } = text
    this.need(length + 2)
    const { bytes } = this
    let at = this.at
    bytes[at++] = 0x69 /* i */
    bytes[at++] = length
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index)
      if (code > 0x7f) return false
      bytes[at++] = code
    }
    this.at = at
    return true
  }

  private anyText(text: string): void {
    const length = Buffer.byteLength(text)
    this.need(length + 9)
    this.integer(length)
    this.at += this.bytes.write(text, this.at, 'utf8')
  }

  raw(bytes: Uint8Array): void {
    this.need(bytes.length)
    this.bytes.set(bytes, this.at)
    this.at += bytes.length
  }
}
