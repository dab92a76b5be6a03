/** One connection of an image stream, from opening to its end. */
import {
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
} from 'node:http2'
import type { Socket } from 'node:net'
import { patientTimeout, startTimeout } from '../kernel/timers'
import type { LinkSettings } from './options'
import { openSession, type StreamTap } from './stream-tap'
import {
  connectionFailure,
  goawayFailure,
  resetFailure,
  httpFailure,
  type ImageFailure,
  statusFailure,
} from './failures'
import type { TakePiece } from './frame-splitter'
import { type MessageMemory, MessageReader, UnreadableStream } from './message-reader'

/** `ended` comes last, once. */
interface AttemptHandlers {
  /** @throws UnreadableStream for a message that cannot be used */
  message: (bytes: Buffer) => void
  ended: (failure: ImageFailure) => void
}

const endStream = constants.NGHTTP2_FLAG_END_STREAM // after these headers nothing follows
const leaveWithin = 1000 // milliseconds in which a cancelled stream must have ended

const closed = (one: { once: (event: 'close', listener: () => void) => unknown }): Promise<void> =>
  new Promise((resolve) => one.once('close', resolve))

interface Line {
  session: ClientHttp2Session
  socket: Socket
  tap: StreamTap
  stream: ClientHttp2Stream
  gone: Promise<unknown>
}

export class Attempt {
  private readonly opening = new AbortController()
  private line: Line | undefined
  private readonly reader: MessageReader
  private readonly begun: Promise<void>
  /** Resolves when the device has answered; rejects with an `ImageFailure`. */
  readonly opened: Promise<void>
  private settle: { resolve: () => void; reject: (failure: ImageFailure) => void } | undefined
  private readonly stopWaiting: () => void
  private proven = false
  private answered = false
  private over = false
  private isLeaving = false
  private isHeld = false
  private status: number | undefined
  private message: string | undefined
  private goaway: number | undefined
  private trouble: NodeJS.ErrnoException | undefined

  constructor(
    private readonly settings: LinkSettings,
    call: { path: string; request: Buffer },
    private readonly handlers: AttemptHandlers,
    memory: MessageMemory,
  ) {
    this.reader = new MessageReader(settings.maxMessageBytes, memory, (message) => {
      if (!this.over) this.handlers.message(message)
    })
    this.stopWaiting = patientTimeout(() => this.notConnected(), settings.connectDeadline)
    this.opened = new Promise((resolve, reject) => (this.settle = { resolve, reject }))
    this.begun = this.begin(call)
  }

  private async begin({ path, request }: { path: string; request: Buffer }): Promise<void> {
    try {
      const opened = await openSession(this.settings, (...piece) => this.take(...piece), this.opening.signal)
      const { session, socket, tap } = opened
      tap.hold(this.isHeld)
      const gone = Promise.all([closed(session), closed(socket)])
      socket.on('error', (error: Error) => this.note(error))
      tap.on('error', (error: Error) => this.note(error))
      session.on('error', (error: Error) => this.note(error))
      session.once('remoteSettings', () => this.prove())
      session.once('goaway', (code: number) => {
        this.goaway = code
      })
      session.once('close', () => this.end(this.failure()))
      this.line = { ...opened, gone, stream: this.call(session, path, request) }
      if (this.over) this.leave()
    } catch (error) {
      // No address answers, or a certificate cannot be read.
      this.end(connectionFailure(error as Error, { proven: false, connected: false }, this.settings))
    }
  }

  /** Whether the device may send more than its window allows now. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld
    this.line?.tap.hold(isHeld)
  }

  /** Ends it for a local reason. */
  fail(failure: ImageFailure): void {
    this.end(failure)
  }

  cancel(): void {
    this.over = true
    this.stopWaiting()
    this.settle?.reject({ code: 'ABORTED', key: 'images-closed' })
    this.leave()
  }

  /** As `cancel`. Resolves when nothing is left. */
  async close(): Promise<void> {
    this.cancel()
    await this.begun
    await this.line?.gone
  }

  private call(session: ClientHttp2Session, path: string, request: Buffer): ClientHttp2Stream {
    const headers = {
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': 'cellsight-node-red-vision',
    }
    const stream = session.request(headers, { endStream: false })
    stream.on('error', (error: Error) => this.note(error))
    stream.once('response', (answer: IncomingHttpHeaders, flags: number) => this.answer(answer, flags))
    stream.once('trailers', (trailers: IncomingHttpHeaders) => this.readStatus(trailers))
    // The tap has taken its content out before.
    stream.resume()
    stream.once('close', () => this.end(this.failure()))
    const prefix = Buffer.alloc(5)
    prefix.writeUInt32BE(request.length, 1)
    stream.end(Buffer.concat([prefix, request]))
    return stream
  }

  /** The first error is the most specific. */
  private note(error: Error): void {
    this.trouble ??= error
  }

  /** The device speaks HTTP/2, and accepts our certificate. */
  private prove(): void {
    if (this.over) return
    this.proven = true
    this.stopWaiting()
    this.settle?.resolve()
  }

  private answer(headers: IncomingHttpHeaders, flags: number): void {
    const status = Number(headers[':status'])
    if (status !== 200) {
      this.end(httpFailure(status))
      return
    }
    const type = headers['content-type'] ?? ''
    if (!type.startsWith('application/grpc')) {
      const reason = type ? `content-type ${type.slice(0, 100)}` : 'no content-type'
      this.end({ code: 'BAD_REPLY', key: 'images-not-grpc', values: { reason }, cause: { reason } })
      return
    }
    this.answered = true
    if (flags & endStream) this.readStatus(headers)
    this.line?.tap.accept()
  }

  private readStatus(headers: IncomingHttpHeaders): void {
    const { 'grpc-status': status, 'grpc-message': message } = headers
    // Without a status, the outcome is unknown, which is status 2.
    this.status = typeof status === 'string' && /^\d{1,9}$/.test(status) ? Number(status) : 2
    this.message = typeof message === 'string' ? message : undefined
  }

  private take(...[piece, from, to]: Parameters<TakePiece>): void {
    if (this.over) return
    try {
      this.reader.take(piece, from, to)
    } catch (error) {
      if (!(error instanceof UnreadableStream)) throw error
      this.end(error.failure)
    }
  }

  private notConnected(): void {
    const milliseconds = this.settings.connectDeadline
    this.end({ code: 'UNREACHABLE', key: 'images-connect-deadline', values: { milliseconds } })
  }

  private failure(): ImageFailure {
    const { status, message, trouble, goaway } = this
    const { language } = this.settings
    if (status !== undefined) {
      const failure = statusFailure(status, message, language)
      return status === 0 && this.reader.isWithin
        ? { ...failure, code: 'BAD_REPLY', key: 'images-cut-off' }
        : failure
    }
    if (goaway !== undefined && goaway !== constants.NGHTTP2_NO_ERROR) return goawayFailure(goaway)
    const { session, stream } = this.line ?? {}
    const code = stream?.rstCode
    if (this.proven && code && !session?.destroyed) return resetFailure(code)
    if (trouble && trouble.code !== 'ERR_HTTP2_STREAM_CANCEL') {
      return connectionFailure(trouble, { proven: this.proven, connected: true }, this.settings)
    }
    if (this.answered && stream?.readableEnded && !code) return statusFailure(2, undefined, language)
    const reason = 'connection closed'
    return { code: 'UNREACHABLE', key: 'images-lost', values: { reason }, cause: { reason } }
  }

  private end(failure: ImageFailure): void {
    if (this.over) return
    this.over = true
    this.stopWaiting()
    this.leave()
    this.settle?.reject(failure)
    this.handlers.ended(failure)
  }

  private leave(): void {
    this.opening.abort()
    if (this.isLeaving || !this.line) return
    this.isLeaving = true
    const { session, stream, socket, tap } = this.line
    const drop = () => {
      session.destroy()
      socket.destroy()
    }
    if (!this.proven || session.destroyed || stream.closed) {
      drop()
      return
    }
    // The rest of a set is discarded.
    tap.discard()
    const timer = startTimeout(drop, leaveWithin)
    stream.once('close', () => {
      clearTimeout(timer)
      // The frame that cancels the stream is sent first.
      session.close(drop)
    })
    stream.close(constants.NGHTTP2_CANCEL)
  }
}
