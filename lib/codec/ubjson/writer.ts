/** Largest buffer kept for the next message, in bytes. */
const keptSize = 1 << 20
let spare: Buffer | undefined

/** Writes bytes in order into a buffer that grows. */
export class Writer {
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
