/** The connection of an image stream: content bypasses `node:http2`, everything else passes through it. */
import { type Socket, connect as connectTcp, isIP } from 'node:net'
import { Duplex } from 'node:stream'
import { TLSSocket, connect as connectTls } from 'node:tls'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { FrameSplitter, type TakePiece, ReadingTurn } from './frame-splitter'
import { dial, type DialAddress } from '../kernel/dial'
import type { LinkSettings } from './options'

const [headBytes, prefaceBytes] = [9, 24] // bytes before every HTTP/2 frame, and before the first

const [goawayFrame, codeAt] = [7, 4] // GOAWAY; its code follows four bytes

/** Finds the GOAWAY code that `node:http2` writes: Node.js does not report it, and waits for ever for the peer to close. */
class SentGoaway {
  private readonly start = Buffer.alloc(headBytes + codeAt + 4)
  private startLength = 0
  private skipped = prefaceBytes // bytes until the next frame

  /** @returns the code; undefined before a GOAWAY, or without a reason */
  take(bytes: Buffer): number | undefined {
    for (let at = 0; at < bytes.length;) {
      const skip = Math.min(this.skipped, bytes.length - at)
      this.skipped -= skip
      at += skip
      const needed = this.startLength < headBytes ? headBytes : this.start.length
      const more = Math.min(needed - this.startLength, bytes.length - at)
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

/** Waiting content, or waiting frames for `node:http2`. */
interface Piece {
  bytes: Buffer
  isContent: boolean
}

interface TapOptions {
  /** Bytes of the stream that the device may send before they are consumed; twice as much for the connection. */
  window: number
  content: TakePiece
}

/**
 * Between a socket and `node:http2`: takes out the content of the first stream. In `node:http2`, memory would be
 * allocated for every piece, so that the garbage collector would search the whole memory of Node-RED after every 64 MB:
 * at 600 MB/s, in sets of 2.15 MB, that takes 13 to 60 % of a core more beside a heap like that of Node-RED, 8 % in an
 * empty process, and 6 % in sets of 12 MB.
 * Headers, states and errors are left to `node:http2`.
 *
 * While content is held, it waits, as much as the window allows, and the rest of the stream waits behind it.
 */
export class StreamTap extends Duplex {
  private readonly splitter = new FrameSplitter({
    counted: (bytes) => this.count(bytes),
    content: (piece, from, to) => this.content(piece, from, to),
    other: (bytes, isOwn) => {
      if (isOwn) this.passHeaders(bytes)
      else this.push(bytes)
    },
  })
  private readonly sent = new SentGoaway()
  private readonly waiting: Piece[] = []
  private isReady = false
  private begin: () => void = () => undefined
  private isAnswered = false
  private isAccepted = false
  private isHeld = false
  private isDiscarding = false
  private credit: number // bytes of data frames that the device may still send
  private used = 0 // bytes of data frames not yet returned to the window

  /** @param socket connected; a TLS handshake may still be running */
  constructor(
    private readonly socket: Socket,
    private readonly options: TapOptions,
  ) {
    super()
    this.credit = options.window
    if (socket instanceof TLSSocket)
      socket.once('secureConnect', () => {
        this.isReady = true
        this.begin()
      })
    else this.isReady = true
    socket.once('end', () => this.push(null))
    // Reported by the caller that opened it.
    socket.on('error', () => this.destroy())
    socket.once('close', () => this.destroy())
  }

  /** @param bytes only used during the call */
  arrived(bytes: Buffer): void {
    if (!this.destroyed) this.splitter.take(bytes)
  }

  accept(): void {
    this.isAccepted = true
    this.release()
  }

  hold(isHeld: boolean): void {
    this.isHeld = isHeld
    this.release()
  }

  discard(): void {
    this.isDiscarding = true
    this.release()
  }

  override _read(): void {
    // Small pieces are pushed as they come.
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: () => void): void {
    if (!this.isReady) {
      // Written before the TLS handshake, it would make its errors unreadable.
      this.begin = () => this._write(bytes, encoding, done)
      return
    }
    this.socket.write(bytes)
    const code = this.sent.take(bytes)
    if (code !== undefined) this.fail(`HTTP/2 error ${code}`)
    // At once: nothing of ours may come between the pieces of a frame.
    done()
  }

  override _final(done: () => void): void {
    this.socket.end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.waiting.length = 0
    this.socket.destroy()
    done(error)
  }

  private get isWaiting(): boolean {
    return !this.isDiscarding && (this.isHeld || !this.isAccepted)
  }

  private content(piece: Buffer, from: number, to: number): void {
    if (!this.isAnswered) this.fail('content before an answer')
    else if (this.waiting.length > 0 || this.isWaiting)
      this.waiting.push({ bytes: Buffer.from(piece.subarray(from, to)), isContent: true })
    else if (!this.isDiscarding) this.options.content(piece, from, to)
  }

  /** Before the call is accepted, the headers of the answer pass. */
  private passHeaders(bytes: Buffer): void {
    this.isAnswered = true
    if (this.waiting.length > 0 || (this.isWaiting && this.isAccepted))
      this.waiting.push({ bytes, isContent: false })
    else this.push(bytes)
  }

  private pass({ bytes, isContent }: Piece): void {
    if (!isContent) this.push(bytes)
    else if (!this.isDiscarding) this.options.content(bytes, 0, bytes.length)
  }

  private release(): void {
    while (!this.isWaiting) {
      const piece = this.waiting.shift()
      if (!piece) break
      this.pass(piece)
    }
    this.giveBack()
  }

  private fail(reason: string): void {
    this.destroy(Object.assign(new Error(reason), { code: 'ERR_HTTP2_ERROR' }))
  }

  private count(bytes: number): void {
    this.credit -= bytes
    this.used += bytes
    if (this.credit < 0) this.fail('more was sent than allowed')
    else this.giveBack()
  }

  /** Enlarges the window after half of it was used. */
  private giveBack(): void {
    if (this.waiting.length > 0 || this.isWaiting || this.used < this.options.window / 2) return
    this.socket.write(Buffer.concat([moreBytes(0, this.used), moreBytes(1, this.used)]))
    this.credit += this.used
    this.used = 0
  }
}

/** A WINDOW_UPDATE frame; stream 0 is the connection. */
function moreBytes(stream: number, bytes: number): Buffer {
  const frame = Buffer.from([0, 0, 4, 8, 0, 0, 0, 0, stream, 0, 0, 0, 0])
  frame.writeUInt32BE(bytes, 9)
  return frame
}

/** Bytes in flight per stream: about one set. More would only hold stale sets. */
const streamWindow = 1024 * 1024

const keepAliveDelay = 5000 // milliseconds of silence before TCP keep-alive probes, one per second

const sessionMemory = 64 // megabytes that Node.js may hold per connection

const readBytes = 256 * 1024 // bytes read at once, always into the same memory

/** Opens an HTTP/2 connection. The socket reports more about a failure than the session. @throws ErrnoException */
export async function openSession(
  { host, port, tls }: LinkSettings,
  content: TakePiece,
  signal: AbortSignal,
): Promise<{ session: ClientHttp2Session; socket: Socket; tap: StreamTap }> {
  /** Set before anything can arrive. */
  const reading: { tap?: StreamTap } = {}
  const open = (address: DialAddress): Socket => {
    const turn = new ReadingTurn(() => opening.resume())
    const onread = {
      buffer: Buffer.allocUnsafeSlow(readBytes),
      callback: (length: number, buffer: Uint8Array) =>
        turn.take(() => reading.tap?.arrived(Buffer.from(buffer.buffer, buffer.byteOffset, length))),
    }
    const opening: Socket = tls
      ? connectTls({
          ...tls,
          ...{ host: address.host, port, ALPNProtocols: ['h2'], onread },
          servername: tls.servername ?? (isIP(host) ? '' : host),
        })
      : connectTcp({ host: address.host, port, onread })
    return opening
  }
  // The deadline is that of the attempt, which includes the device's answer.
  const socket = await dial({ host, port, timeout: 0, signal, open })
  const tap = new StreamTap(socket, { window: streamWindow, content })
  reading.tap = tap
  // No HTTP/2 pings: devices close the connection because of them.
  socket.setNoDelay(true).setKeepAlive(true, keepAliveDelay)
  const authority = `${tls ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const session = connectHttp2(authority, {
    createConnection: () => tap,
    maxSessionMemory: sessionMemory,
    settings: { initialWindowSize: streamWindow, enablePush: false },
  })
  session.once('connect', () => {
    if (!session.destroyed) session.setLocalWindowSize(2 * streamWindow)
  })
  return { session, socket, tap }
}
