import { constants } from 'node:buffer'
import type { MessageMemory } from './message-memory'
import type { ImageFailure } from './sentences'

/** Bytes in front of each message: a flag and the length. */
const prefixBytes = 5

/** Why the bytes of a stream cannot be read. */
export class UnreadableStream extends Error {
  constructor(readonly failure: ImageFailure) {
    super(failure.key)
  }
}

/**
 * Takes the messages out of the bytes of a gRPC stream. Each is copied once, into memory of its own that is as long as
 * announced; nothing is allocated for an announced length beyond the limit.
 */
export class MessageReader {
  private readonly prefix = Buffer.alloc(prefixBytes)
  private prefixLength = 0
  private message: Buffer | undefined
  private filled = 0

  /**
   * @param limit longest message, bytes
   * @param memory where messages are copied to
   */
  constructor(
    private readonly limit: number,
    private readonly memory: MessageMemory,
  ) {}

  /** Whether a message has begun and not ended. */
  get isWithin(): boolean {
    return this.message !== undefined || this.prefixLength > 0
  }

  /** @throws UnreadableStream for a compressed message or one that is too long, and what `deliver` throws */
  take(chunk: Buffer, deliver: (message: Buffer) => void): void {
    for (let at = 0; at < chunk.length;) {
      if (!this.message) {
        const more = Math.min(prefixBytes - this.prefixLength, chunk.length - at)
        chunk.copy(this.prefix, this.prefixLength, at, at + more)
        at += more
        this.prefixLength += more
        if (this.prefixLength < prefixBytes) return
        this.begin()
      }
      const message = this.message
      if (!message) return
      const more = Math.min(message.length - this.filled, chunk.length - at)
      chunk.copy(message, this.filled, at, at + more)
      at += more
      this.filled += more
      if (this.filled < message.length) return
      this.message = undefined
      this.prefixLength = 0
      deliver(message)
    }
  }

  private begin(): void {
    if (this.prefix[0] !== 0) throw new UnreadableStream({ code: 'BAD_REPLY', key: 'images-compressed' })
    const bytes = this.prefix.readUInt32BE(1)
    const limit = Math.min(this.limit, constants.MAX_LENGTH)
    if (bytes > limit)
      throw new UnreadableStream({ code: 'BAD_REPLY', key: 'images-too-long', values: { bytes, limit } })
    this.message = this.memory.take(bytes)
    this.filled = 0
  }
}
