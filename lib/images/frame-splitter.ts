/** Bytes in front of every frame of HTTP/2: length (3), type, flags, stream (4). */
const headBytes = 9

/** Type of the frames that carry content. */
const dataFrame = 0

/** Flags of a data frame: nothing follows; it is padded. */
const [endStream, padded] = [1, 8]

/** The only stream: the first one of a client. */
const ownStream = 1

/** Longest frame that is allowed without another announcement, bytes. */
const longestFrame = 16_384

/** A data frame without content, after which nothing follows. */
const lastFrame = Buffer.from([0, 0, 0, dataFrame, endStream, 0, 0, 0, ownStream])

/** Takes the bytes of a piece from one position to another; they are only valid during the call. */
export type TakePiece = (piece: Buffer, from: number, to: number) => void

/** Receives the parts of what arrives. */
interface FrameParts {
  /** A data frame of the own stream begins. @param bytes by which the windows shrink */
  counted: (bytes: number) => void
  /** Content of the own stream, without padding. No object is made for it, because it comes in thousands of pieces. */
  content: TakePiece
  /** Frames of all other kinds, in pieces. */
  other: (bytes: Buffer, isOwn: boolean) => void
}

/**
 * Splits what a server sends over HTTP/2 into the content of the first stream and everything else. Frames that are not as
 * they should be are left to who reads everything else.
 */
export class FrameSplitter {
  private readonly head = Buffer.alloc(headBytes)
  private headLength = 0
  /** Bytes of the present frame that are still to come. */
  private left = 0
  /** How many of them are padding; undefined before that is known. */
  private padding: number | undefined = 0
  private isContent = false
  private isOwn = false

  constructor(private readonly parts: FrameParts) {}

  /** @param bytes only used during the call */
  take(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      if (this.headLength < headBytes) {
        const more = Math.min(headBytes - this.headLength, bytes.length - at)
        bytes.copy(this.head, this.headLength, at, at + more)
        this.headLength += more
        at += more
        if (this.headLength < headBytes) return
        this.begin()
      } else at += this.go(bytes, at, Math.min(bytes.length, at + this.left))
      if (this.left === 0) this.end()
    }
  }

  private begin(): void {
    const { head } = this
    this.left = head.readUIntBE(0, 3)
    this.isOwn = (head.readUInt32BE(5) & 0x7fffffff) === ownStream
    this.isContent = this.isOwn && head[3] === dataFrame && this.left <= longestFrame
    if (!this.isContent) this.pass(head)
    else if (this.has(padded)) this.padding = undefined
    else {
      this.padding = 0
      this.parts.counted(this.left)
    }
  }

  /** @returns the number of bytes that were taken */
  private go(piece: Buffer, from: number, to: number): number {
    if (!this.isContent) this.pass(piece.subarray(from, to))
    else if (this.padding === undefined) return this.beginPadded(piece[from] ?? 0)
    else {
      const end = Math.min(to, from + this.left - this.padding)
      if (end > from) this.parts.content(piece, from, end)
    }
    this.left -= to - from
    return to - from
  }

  /** The first byte says how much padding there is. */
  private beginPadded(padding: number): number {
    if (padding < this.left) {
      this.parts.counted(this.left)
      this.padding = padding
    } else {
      this.isContent = false
      this.pass(this.head)
      this.pass(Buffer.from([padding]))
    }
    this.left--
    return 1
  }

  private end(): void {
    this.headLength = 0
    if (this.isContent && this.has(endStream)) this.parts.other(lastFrame, true)
    // A padded frame without a byte for it.
    if (this.isContent && this.padding === undefined) this.pass(this.head)
  }

  private has(flag: number): boolean {
    return ((this.head[4] ?? 0) & flag) !== 0
  }

  private pass(bytes: Buffer): void {
    this.parts.other(Buffer.from(bytes), this.isOwn)
  }
}

/**
 * Milliseconds of reading after which everything else has its turn. A fast device sends on while we read, and new memory
 * comes slowly from the system: one set of 12 MB held all timers for 30 ms.
 */
const longest = 1.5

/** Divides what a socket reads among turns of the event loop. */
export class ReadingTurn {
  /** When this turn began to read. */
  private began: number | undefined
  private isResting = false

  /**
   * @param resume lets the socket read again
   * @param now milliseconds of a clock that never steps back
   */
  constructor(
    private readonly resume: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Uses what was read.
   * @returns whether this turn may read more; otherwise the next one resumes
   */
  take(use: () => void): boolean {
    if (this.began === undefined) {
      this.began = this.now()
      setImmediate(() => this.end())
    }
    use()
    this.isResting = this.now() - this.began > longest
    return !this.isResting
  }

  private end(): void {
    this.began = undefined
    if (this.isResting) this.resume()
    this.isResting = false
  }
}
