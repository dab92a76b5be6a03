/** Assembles gRPC messages in reused memory. */
import { constants } from 'node:buffer'
import type { ImageFailure } from './failures'

/** Free pieces: one may be received, one wait and one be in the consumer's hands. */
const mostFree = 2

/**
 * Reuses memory of released messages. New memory for every set would make the garbage collector run again and again,
 * and every copy go to memory outside the processor's cache.
 */
export class MessageMemory {
  private readonly free: Buffer[] = []

  /** Its content is undefined. */
  take(bytes: number): Buffer {
    const at = this.free.findIndex(({ length }) => length >= bytes && length <= 2 * bytes)
    const [found] = at < 0 ? [] : this.free.splice(at, 1)
    if (found) return found.length === bytes ? found : found.subarray(0, bytes)
    // Sets have changed their size.
    this.free.length = 0
    // Not from the pool of small buffers, which one image would keep alive.
    return Buffer.allocUnsafeSlow(bytes)
  }

  /** @param message that is no longer used */
  give({ buffer }: Buffer): void {
    if (this.free.length < mostFree) this.free.push(Buffer.from(buffer))
  }
}

const prefixBytes = 5 // A flag and the length

const long = 4 * 1024 * 1024 // bytes: a few such messages make the garbage collector run

/**
 * Bytes of a long message that arrive before memory is allocated for it, more than are read at once: by then the
 * consumer has the previous one, and the garbage collector finds the memory of those already used.
 */
const startBytes = 272 * 1024

const nothing = Buffer.alloc(0)

export class UnreadableStream extends Error {
  constructor(readonly failure: ImageFailure) {
    super(failure.key)
  }
}

/** Extracts messages from a gRPC stream. Each is copied once; nothing is allocated beyond the limit. */
export class MessageReader {
  private readonly prefix = Buffer.alloc(prefixBytes)
  private prefixLength = 0
  private bytes: number | undefined // length of the current message
  private into: Buffer = nothing // where its bytes go, and how many are there
  private filled = 0
  private start: Buffer | undefined // start of a long message

  /** @param limit longest message, bytes @param memory receives the copies */
  constructor(
    private readonly limit: number,
    private readonly memory: MessageMemory,
    private readonly deliver: (message: Buffer) => void,
  ) {}

  get isWithin(): boolean {
    return this.bytes !== undefined || this.prefixLength > 0
  }

  /** @throws UnreadableStream for a compressed message or one that is too long; errors of `deliver` */
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
      else if (this.filled === this.into.length) this.continueMessage(this.bytes)
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

  private fill(piece: Buffer, from: number, to: number): number {
    const more = Math.min(this.into.length - this.filled, to - from)
    piece.copy(this.into, this.filled, from, from + more)
    this.filled += more
    return more
  }

  private continueMessage(bytes: number): void {
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
 * Bytes that are allocated once and freed by the next garbage collection. The allocator of Linux (glibc) learns from
 * the largest freed block how much freed memory the process keeps, twice as much (mallopt(3), M_MMAP_THRESHOLD), and
 * learns from none beyond 32 MiB. They are never written, so they take no memory.
 */
const lesson = 32 * 1024 * 1024 - 64 * 1024

let isTaught = false

/**
 * Lets the process keep freed memory of up to 64 MiB. Otherwise memory for each set or picture is returned to the
 * system by each garbage collection and requested again page by page (`bench images`). Without effect with another
 * allocator, or if the variables MALLOC_… are set.
 */
export function keepFreedMemory(): void {
  if (isTaught) return
  isTaught = true
  Buffer.allocUnsafeSlow(lesson)
}
