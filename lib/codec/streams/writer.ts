/** Longer than a device's datagrams with covariance. Writing is synchronous, so all writers share one buffer. */
const shared = Buffer.allocUnsafe(4096)

/** Writes bytes from the last to the first. */
export class Writer {
  /** Number of bytes written. */
  length = 0
  private bytes = shared

  /** Everything that was written, in a buffer of its own. */
  finish(): Buffer {
    return Buffer.from(this.bytes.subarray(this.bytes.length - this.length))
  }

  double(value: number): void {
    const start = this.before(8)
    this.bytes.writeDoubleLE(value, start)
  }

  text(text: string): void {
    const length = Buffer.byteLength(text)
    const start = this.before(length)
    this.bytes.write(text, start, length)
  }

  /** Writes a varint of 64 bits: negative numbers take ten bytes. */
  integer(value: number | bigint): void {
    if (typeof value === 'bigint' || value < 0) {
      this.bigInteger(BigInt.asUintN(64, BigInt(value)))
      return
    }
    let size = 1
    for (let limit = 0x80; value >= limit; limit *= 0x80) size++
    const start = this.before(size)
    let left = value
    for (let index = start; index < start + size - 1; index++) {
      this.bytes[index] = (left % 0x80) + 0x80
      left = Math.floor(left / 0x80)
    }
    this.bytes[start + size - 1] = left
  }

  tag(field: number, wireType: number): void {
    this.integer(field * 8 + wireType)
  }

  private bigInteger(value: bigint): void {
    const parts: number[] = []
    let left = value
    for (; left > 0x7fn; left >>= 7n) parts.push(Number(left & 0x7fn) | 0x80)
    parts.push(Number(left))
    const start = this.before(parts.length)
    this.bytes.set(parts, start)
  }

  /** Makes room in front of what was written and returns where it begins. */
  private before(length: number): number {
    const needed = this.length + length
    if (needed > this.bytes.length) {
      const longer = Buffer.allocUnsafe(2 * needed)
      this.bytes.copy(longer, longer.length - this.length, this.bytes.length - this.length)
      this.bytes = longer
    }
    this.length = needed
    return this.bytes.length - needed
  }
}
