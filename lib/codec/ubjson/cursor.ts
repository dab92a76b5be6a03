import type { Exceeded } from '../json-value'
import { UbjsonError } from './error'

/** A position in the bytes that advances with each read, and never past their end. */
export class Cursor {
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
