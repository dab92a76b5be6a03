/** Bytes in front of every frame of HTTP/2, and of the first one. */
const [headBytes, prefaceBytes] = [9, 24]
/** Type of the frame that gives a connection up; its code follows four bytes. */
const [goawayFrame, codeAt] = [7, 4]

/**
 * Reads what `node:http2` writes, and finds the code with which it gives a connection up: it reports that to nobody, and
 * would wait for ever for a peer that does not hang up.
 */
export class SentGoaway {
  private readonly start = Buffer.alloc(headBytes + codeAt + 4)
  private startLength = 0
  /** Bytes that are skipped before the next frame. */
  private skipped = prefaceBytes

  /** @returns the code; undefined as long as the connection is not given up, or without a reason */
  take(bytes: Buffer): number | undefined {
    for (let at = 0; at < bytes.length;) {
      const skip = Math.min(this.skipped, bytes.length - at)
      this.skipped -= skip
      at += skip
      const wanted = this.startLength < headBytes ? headBytes : this.start.length
      const more = Math.min(wanted - this.startLength, bytes.length - at)
      bytes.copy(this.start, this.startLength, at, at + more)
      this.startLength += more
      at += more
      if (this.startLength < headBytes) continue
      if (this.start[3] !== goawayFrame) {
        this.skipped = this.start.readUIntBE(0, 3)
        this.startLength = 0
      } else if (this.startLength === this.start.length) {
        this.skipped = Math.max(0, this.start.readUIntBE(0, 3) - codeAt - 4)
        this.startLength = 0
        const code = this.start.readUInt32BE(headBytes + codeAt)
        if (code !== 0) return code
      }
    }
    return undefined
  }
}
