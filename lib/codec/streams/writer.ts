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
