/** Puts the pieces of a gRPC message together, in memory that is used again. */
import { constants } from 'node:buffer'
import type { ImageFailure } from './failures'

/** Pieces that wait to be used again: one may be received, one wait and one be in the consumer's hands. */
const mostFree = 2

/**
 * Memory for messages that is used again after they are done with. New memory for every set would make the garbage
 * collector run again and again, and every copy go to memory that is not in the processor's cache.
 */
export class MessageMemory {
  private readonly free: Buffer[] = []

  /** Memory whose content is to be overwritten. */
  take(bytes: number): Buffer {
    const at = this.free.findIndex(({ length }) => length >= bytes && length <= 2 * bytes)
    const [found] = at < 0 ? [] : this.free.splice(at, 1)
    if (found) return found.length === bytes ? found : found.subarray(0, bytes)
    // Sets have another size than before.
    this.free.length = 0
    // Not from the pool of small buffers, which would be kept alive by one image.
    return Buffer.allocUnsafeSlow(bytes)
  }

  /** @param message that is no longer used */
  give({ buffer }: Buffer): void {
    if (this.free.length < mostFree) this.free.push(Buffer.from(buffer))
  }
}

/** Bytes in front of each message: a flag and the length. */
const prefixBytes = 5

/** Bytes from which a message is long: a few of them make the garbage collector run. */
const long = 4 * 1024 * 1024

/**
 * Bytes of a long message that arrive before there is memory for it, more than are read at once: the consumer then has the
 * one before, and the garbage collector, which may run when there is no more memory, finds the memory of those that it
 * has used already.
 */
const startBytes = 272 * 1024

const nothing = Buffer.alloc(0)

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
  /** Length of the message that has begun. */
  private bytes: number | undefined
  /** Where its bytes go now, and how many are there. */
  private into: Buffer = nothing
  private filled = 0
  /** Where a long one starts. */
  private start: Buffer | undefined

  /**
   * @param limit longest message, bytes
   * @param memory where messages are copied to
   * @param deliver called with each message
   */
  constructor(
    private readonly limit: number,
    private readonly memory: MessageMemory,
    private readonly deliver: (message: Buffer) => void,
  ) {}

  /** Whether a message has begun and not ended. */
  get isWithin(): boolean {
    return this.bytes !== undefined || this.prefixLength > 0
  }

  /**
   * Takes the bytes of a piece from one position to another.
   * @throws UnreadableStream for a compressed message or one that is too long, and what `deliver` throws
   */
  take(piece: Buffer, from: number, to: number): void {
    for (let at = from; at < to;) {
      if (this.bytes === undefined) {
        const more = Math.min(prefixBytes - this.prefixLength, to - at)
        piece.copy(this.prefix, this.prefixLength, at, at + more)
        at += more
        this.prefixLength += more
        if (this.prefixLength < prefixBytes) return
        this.bytes = this.begin()
      }
      at += this.fill(piece, at, to)
      if (this.filled === this.bytes) this.end()
      else if (this.filled === this.into.length) this.goOn(this.bytes)
    }
  }

  private begin(): number {
    if (this.prefix[0] !== 0) throw new UnreadableStream({ code: 'BAD_REPLY', key: 'images-compressed' })
    const bytes = this.prefix.readUInt32BE(1)
    const limit = Math.min(this.limit, constants.MAX_LENGTH)
    if (bytes > limit)
      throw new UnreadableStream({ code: 'BAD_REPLY', key: 'images-too-long', values: { bytes, limit } })
    this.filled = 0
    this.into = bytes < long ? this.memory.take(bytes) : (this.start ??= Buffer.allocUnsafeSlow(startBytes))
    return bytes
  }

  /** @returns the number of bytes that were taken */
  private fill(piece: Buffer, from: number, to: number): number {
    const more = Math.min(this.into.length - this.filled, to - from)
    piece.copy(this.into, this.filled, from, from + more)
    this.filled += more
    return more
  }

  private goOn(bytes: number): void {
    const message = this.memory.take(bytes)
    this.into.copy(message)
    this.into = message
  }

  private end(): void {
    const message = this.into
    this.into = nothing
    this.bytes = undefined
    this.prefixLength = 0
    this.deliver(message)
  }
}

/**
 * Bytes that are allocated once and freed by the next garbage collection. The memory allocator of Linux (glibc) learns from
 * the largest block that was freed how much freed memory the process keeps, twice as much (mallopt(3), M_MMAP_THRESHOLD),
 * and learns from none beyond 32 MiB. Nothing is written, so that they take no memory.
 */
const lesson = 32 * 1024 * 1024 - 64 * 1024

let isTaught = false

/**
 * Lets the process keep freed memory of up to 64 MiB. New memory for every set or picture would otherwise be given back to
 * the system with each garbage collection and asked for again page by page (`bench images`). Where another allocator is in
 * use, or the variables MALLOC_… say what it keeps, it changes nothing.
 */
export function keepFreedMemory(): void {
  if (isTaught) return
  isTaught = true
  Buffer.allocUnsafeSlow(lesson)
}
