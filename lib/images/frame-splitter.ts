/** Bytes in front of every frame of HTTP/2: length (3), type, flags, stream (4). */
const headBytes = 9

const dataFrame = 0 // carries content

const [endStream, padded] = [1, 8] // nothing follows; padded

const ownStream = 1 // the first and only stream of a client

const longestFrame = 16_384 // bytes, unless announced otherwise

/** A data frame without content, after which nothing follows. */
const lastFrame = Buffer.from([0, 0, 0, dataFrame, endStream, 0, 0, 0, ownStream])

/** The bytes are only valid during the call. */
export type TakePiece = (piece: Buffer, from: number, to: number) => void

interface FrameParts {
  /** A data frame of the own stream starts. @param bytes by which the windows shrink */
  counted: (bytes: number) => void
  /** Content of the own stream, without padding. Passed without an object, because it comes in thousands of pieces. */
  content: TakePiece
  /** All other frames, in pieces. */
  other: (bytes: Buffer, isOwn: boolean) => void
}

/** Splits a server's HTTP/2 bytes into the content of the first stream and everything else, such as invalid frames. */
export class FrameSplitter {
  private readonly head = Buffer.alloc(headBytes)
  private headLength = 0
  private left = 0 // bytes of the current frame still to come
  private padding: number | undefined = 0 // padding among them; undefined before that is known
  private isContent = false
  private isOwn = false

  constructor(private readonly parts: FrameParts) {}

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

  /** The first byte is the length of the padding. */
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
    // A padded frame without room for its length.
    if (this.isContent && this.padding === undefined) this.pass(this.head)
  }

  private has(flag: number): boolean {
    return ((this.head[4] ?? 0) & flag) !== 0
  }

  private pass(bytes: Buffer): void {
    this.parts.other(Buffer.from(bytes), this.isOwn)
  }
}

/** Milliseconds of reading per turn: a fast device keeps sending, and one set of 12 MB held all timers for 30 ms. */
const longest = 1.5

/** Divides what a socket reads among turns of the event loop. */
export class ReadingTurn {
  private began: number | undefined // when this turn started to read
  private isResting = false

  /** @param resume lets the socket read again @param now monotonic milliseconds */
  constructor(
    private readonly resume: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Uses received bytes. @returns whether this turn may read more; otherwise the next one resumes */
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
