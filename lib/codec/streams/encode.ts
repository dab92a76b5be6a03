import {
  type Messages,
  type StreamMessages,
  type StreamMessageType,
  fieldsOf,
  type MessageField,
} from './messages'

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

/**
 * Encodes one message of `streams.proto`. Absent and undefined fields are left out, repeated numbers are packed.
 * @throws TypeError for a value that the schema does not allow
 */
export function encodeMessage<Type extends StreamMessageType>(
  type: Type,
  message: StreamMessages[Type],
): Buffer {
  writer.start()
  writeMessage(type, message as Record<string, unknown>)
  return writer.finish()
}

/** Writing is synchronous, so one writer serves all. */
const writer = new Writer()

function writeMessage(type: keyof Messages, message: Record<string, unknown>): void {
  const fields = fieldsOf[type]
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as MessageField
    const value = message[field.name]
    if (value !== undefined) writeField(field, value)
  }
}

function writeField({ name, kind, tag }: MessageField, value: unknown): void {
  switch (kind) {
    case 'double':
      if (typeof value !== 'number') throw wrong(name, kind)
      writer.integer(tag)
      writer.double(value)
      return
    case 'int64':
    case 'int32':
      if (!isInteger(value, kind === 'int64' ? 64 : 32)) throw wrong(name, kind)
      writer.integer(tag)
      writer.integer(value)
      return
    case 'bool':
      if (typeof value !== 'boolean') throw wrong(name, kind)
      writer.integer(tag)
      writer.integer(value ? 1 : 0)
      return
    case 'string':
      if (typeof value !== 'string') throw wrong(name, kind)
      writer.integer(tag)
      writer.text(value)
      return
    case 'doubles':
      if (!areNumbers(value)) throw wrong(name, kind)
      writer.integer(tag)
      writer.doubles(value)
      return
    default: {
      if (typeof value !== 'object' || value === null) throw wrong(name, 'message')
      writer.integer(tag)
      const start = writer.open()
      writeMessage(kind, value as Record<string, unknown>)
      writer.close(start)
    }
  }
}

const wrong = (name: string, kind: keyof typeof expected) =>
  new TypeError(`${name} must be ${expected[kind]}.`)

const expected = {
  double: 'a number',
  doubles: 'an array of numbers',
  int64: 'an integer of 64 bits',
  int32: 'an integer of 32 bits',
  bool: 'true or false',
  string: 'a text',
  message: 'an object',
}

function areNumbers(value: unknown): value is number[] {
  if (!Array.isArray(value)) return false
  for (let index = 0; index < value.length; index++) if (typeof value[index] !== 'number') return false
  return true
}

function isInteger(value: unknown, bits: 32 | 64): value is number | bigint {
  if (bits === 32) return typeof value === 'number' && value === (value | 0)
  return typeof value === 'bigint' ? value === BigInt.asIntN(64, value) : Number.isSafeInteger(value)
}
