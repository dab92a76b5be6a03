import { once } from 'node:events'
import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { startTimeout } from '../../lib/kernel/timers'
import { bytesIn, type Pieces } from './wire'

const keepAlive = 30_000 // milliseconds without a byte before the connection is probed
const mostConnections = 64 // A further one replaces the oldest without a call
const mostCalls = 100 // per connection
/** Unread bytes of all calls of a connection; beyond them, only one message more. */
const mostUnread = 32 * 1024 * 1024
/**
 * Megabytes. Node keeps counting what a cancelled stream has not sent, although it has freed it, and at its default of
 * 10 refuses all further streams of the connection. `mostUnread` bounds the real memory.
 */
const maxSessionMemory = 1_000_000_000

export interface GrpcServer {
  port: number
  /** Closes the port and resets all connections. */
  close: () => Promise<void>
}

export type GrpcHandler = (call: GrpcCall, request: Uint8Array) => void

interface GrpcServerOptions {
  host: string
  port: number
  /** Milliseconds for a request from its first frame to its last. @default 10000 */
  requestWithin?: number
}

/** Listens on a port. @param methods by their path, `/Service/Method`. Rejects with the error of `listen`. */
export async function grpcServer(
  methods: Readonly<Record<string, GrpcHandler>>,
  { host, port, requestWithin = 10_000 }: GrpcServerOptions,
): Promise<GrpcServer> {
  const server = createServer({
    maxSessionMemory,
    settings: { enablePush: false, maxConcurrentStreams: mostCalls },
  })
  const sessions = new Map<ServerHttp2Session, Set<GrpcCall>>() // the oldest session first
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    socket.setKeepAlive(true, keepAlive).setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const fresh = new WeakMap<object, number>() // start of sessions without a call
  server.on('session', (session) => {
    sessions.set(session, new Set())
    fresh.set(session, performance.now())
    session.on('error', () => undefined)
    session.on('close', () => sessions.delete(session))
    if (sessions.size <= mostConnections) return
    const [idle = session] = [...sessions].find(([, calls]) => calls.size === 0) ?? []
    idle.destroy()
  })
  server.on('sessionError', () => undefined)
  server.on('stream', (stream, headers) => {
    const { session } = stream
    const since = (session && fresh.get(session)) ?? performance.now()
    if (session) fresh.delete(session)
    const calls = (session && sessions.get(session as ServerHttp2Session)) ?? new Set()
    const call = new GrpcCall(stream, headers, { since, beside: calls })
    calls.add(call)
    stream.once('close', () => calls.delete(call))
    const method = headers[':path'] ?? ''
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (handle) call.onRequest((request) => handle(call, request), requestWithin)
    else call.end({ status: 'UNIMPLEMENTED', message: 'Method not found!' })
  })
  server.listen({ host, port })
  await once(server, 'listening')
  server.on('error', () => undefined)
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const session of sessions.keys()) session.destroy()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const headers = { ':status': 200, 'content-type': 'application/grpc' } as const
const longestRequest = 4096 // bytes; every request of this service is far shorter
const prefixBytes = 5 // compressed flag and length

export class GrpcCall {
  /** When its client connected, by `performance.now`. */
  readonly since: number
  private readonly beside: ReadonlySet<GrpcCall> // all calls of its connection
  private begun = false
  private over = false
  /** The newest message that the client has not read yet. */
  private waiting: (() => Pieces) | undefined
  private readonly deadline: NodeJS.Timeout | undefined
  private late: NodeJS.Timeout | undefined
  /** Called once, when the call has ended for whatever reason. */
  ended: (() => void) | undefined

  constructor(
    private readonly stream: ServerHttp2Stream,
    { 'grpc-timeout': timeout }: IncomingHttpHeaders,
    { since, beside }: { since: number; beside: ReadonlySet<GrpcCall> },
  ) {
    this.since = since
    this.beside = beside
    const limit = grpcTimeout(timeout)
    if (limit !== undefined)
      this.deadline = startTimeout(
        () => this.end({ status: 'DEADLINE_EXCEEDED', message: 'Deadline Exceeded' }),
        limit,
      )
    // A client that resets the stream is no error here.
    stream.on('error', () => undefined)
    stream.on('close', () => {
      this.close()
      this.drained()
    })
    stream.on('drain', () => this.drained())
  }

  /** Calls back with the request; ends the call if it is missing or invalid. @param within milliseconds */
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
   * The client has not read the last message yet. Drawing another one would keep this thread from sending: the client
   * accepts a part of a message at a time, and each part takes a turn of the loop, so that on a busy computer it would
   * never arrive.
   */
  get isBehind(): boolean {
    return !this.hasRoom
  }

  /** The client has read its messages, and its other calls have not left too much unread. */
  private get hasRoom(): boolean {
    if (this.stream.writableNeedDrain) return false
    let unread = 0
    for (const { stream } of this.beside) if (!stream.destroyed) unread += stream.writableLength
    return unread < mostUnread
  }

  /** Sends the response headers, so that the client knows that its call was accepted. */
  accept(): void {
    if (this.over || this.begun || this.isGone) return
    this.begun = true
    this.stream.respond(headers, { waitForTrailers: true })
  }

  /** Sends a message, or keeps it until the client has read the earlier ones, unless a newer one replaces it. */
  send(message: () => Pieces): void {
    if (this.over || this.isGone) return
    this.accept()
    if (this.hasRoom) this.write(message())
    else this.waiting = message
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
      // The client may stop sending its request.
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

  /** The client has reset the stream: answering throws, even before the event `close`. */
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

  /** Sends waiting messages after this call, or another one of the connection, was read. */
  private drained(): void {
    for (const call of this.beside) {
      const next = call.waiting
      call.waiting = undefined
      if (next) call.send(next)
    }
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

/** Encodes everything but printable ASCII, and the percent sign. */
const percentEncoded = (text: string) => text.replace(/[^ -$&-~]/gu, encodeURIComponent)

function prefixOf(message: Pieces): Buffer {
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32BE(bytesIn(message), 1)
  return prefix
}

const grpcStatus = {
  OK: 0,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
} as const
type GrpcStatus = keyof typeof grpcStatus

interface GrpcEnd {
  status: GrpcStatus
  message?: string
}

/** Milliseconds of a `grpc-timeout` such as `300m` or `8S`; undefined if missing or invalid. */
function grpcTimeout(given: unknown): number | undefined {
  const [, digits = '', unit = ''] = (typeof given === 'string' && /^(\d{1,8})([HMSmun])$/.exec(given)) || []
  return digits === '' ? undefined : Number(digits) * (milliseconds[unit] ?? 0)
}

const milliseconds: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
}
