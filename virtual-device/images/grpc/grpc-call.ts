import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { startTimeout } from '../../../lib/timers/timers'
import { bytesIn, type Pieces } from '../wire/fields'
import { grpcStatus, grpcTimeout, type GrpcEnd } from './status'

const headers = { ':status': 200, 'content-type': 'application/grpc' } as const
/** Bytes; every request of this service is far shorter. */
const longestRequest = 4096
/** Compressed flag and length. */
const prefixBytes = 5

/** A call with one request and a stream of answers. */
export class GrpcCall {
  private begun = false
  private over = false
  /** The newest message that waits for the client to read. */
  private waiting: (() => Pieces) | undefined
  private readonly deadline: NodeJS.Timeout | undefined
  private late: NodeJS.Timeout | undefined
  /** Called once, when the call is over for whatever reason. */
  ended: (() => void) | undefined

  constructor(
    private readonly stream: ServerHttp2Stream,
    { 'grpc-timeout': timeout }: IncomingHttpHeaders,
    /** When its client connected for it, by `performance.now`. */
    readonly since: number,
  ) {
    const limit = grpcTimeout(timeout)
    if (limit !== undefined)
      this.deadline = startTimeout(
        () => this.end({ status: 'DEADLINE_EXCEEDED', message: 'Deadline Exceeded' }),
        limit,
      )
    // A client that resets the stream is no error here.
    stream.on('error', () => undefined)
    stream.on('close', () => this.close())
    stream.on('drain', () => this.drained())
  }

  /**
   * Calls back with the one request; ends the call if there is none, or it is not valid.
   * @param within milliseconds until the request must be complete
   */
  onRequest(received: (request: Uint8Array) => void, within: number): void {
    this.late = startTimeout(
      () => this.end({ status: 'DEADLINE_EXCEEDED', message: 'the request is not complete' }),
      within,
    )
    const parts: Buffer[] = []
    let bytes = 0
    this.stream.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes > longestRequest)
        this.end({ status: 'RESOURCE_EXHAUSTED', message: 'the request is too long' })
      else parts.push(part)
    })
    this.stream.on('end', () => {
      clearTimeout(this.late)
      const all = Buffer.concat(parts)
      const length = all.length < prefixBytes ? Infinity : all.readUInt32BE(1)
      if (prefixBytes + length > all.length)
        this.end({ status: 'UNIMPLEMENTED', message: 'exactly one request message is needed' })
      else if (all[0] !== 0)
        this.end({ status: 'UNIMPLEMENTED', message: 'compressed requests are not supported' })
      else if (!this.over) received(all.subarray(prefixBytes, prefixBytes + length))
    })
  }

  /**
   * Whether the client has not read the last message yet. To draw another for it would keep this thread from sending: the
   * client allows a part of a message at a time, and each part takes a turn of the loop, so that on a busy computer it
   * would not come through.
   */
  get isBehind(): boolean {
    return this.stream.writableNeedDrain
  }

  /** Sends the response headers, so that the client knows that its call was accepted. */
  accept(): void {
    if (this.over || this.begun || this.isGone) return
    this.begun = true
    this.stream.respond(headers, { waitForTrailers: true })
  }

  /**
   * Sends a message, or, as long as the client has not read the earlier ones, keeps it until it has, unless a newer one
   * replaces it.
   */
  send(message: () => Pieces): void {
    if (this.over || this.isGone) return
    this.accept()
    if (this.stream.writableNeedDrain) this.waiting = message
    else this.write(message())
  }

  /** Ends the call; a waiting message is dropped. */
  end({ status, message = '' }: GrpcEnd): void {
    if (this.over) return
    const trailers = {
      'grpc-status': String(grpcStatus[status]),
      ...(message && { 'grpc-message': percentEncoded(message) }),
    }
    this.close()
    const { stream } = this
    if (this.isGone) return
    if (!this.begun) {
      stream.respond({ ...headers, ...trailers }, { endStream: true })
      // A client that goes on with its request need not.
      if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR)
      return
    }
    stream.once('wantTrailers', () => {
      if (!this.isGone) stream.sendTrailers(trailers)
    })
    stream.end()
  }

  /** Sends the first half of a message, then resets the connection. */
  cut(message: Pieces): void {
    if (this.over || this.isGone) return
    this.accept()
    const whole = Buffer.concat([prefixOf(message), ...message])
    const { session } = this.stream
    this.stream.write(whole.subarray(0, whole.length / 2), () => session?.destroy())
    this.close()
  }

  /** Whether the client has reset the stream: then answering throws, even before `close` is told. */
  private get isGone(): boolean {
    return this.stream.destroyed || this.stream.closed
  }

  private write(message: Pieces): void {
    const { stream } = this
    stream.cork()
    stream.write(prefixOf(message))
    for (const piece of message) stream.write(piece)
    stream.uncork()
  }

  private drained(): void {
    const next = this.waiting
    this.waiting = undefined
    if (next) this.send(next)
  }

  private close(): void {
    if (this.over) return
    this.over = true
    this.waiting = undefined
    clearTimeout(this.deadline)
    clearTimeout(this.late)
    this.ended?.()
  }
}

/** As gRPC encodes messages: everything but printable ASCII, and the percent sign. */
const percentEncoded = (text: string) => text.replace(/[^ -$&-~]/gu, encodeURIComponent)

function prefixOf(message: Pieces): Buffer {
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32BE(bytesIn(message), 1)
  return prefix
}
