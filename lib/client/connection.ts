/** The connections to one device, and one request on one of them. */
import type { Socket } from 'node:net'
import type * as Undici from 'undici'
import type { buildConnector, Client as UndiciClient, Dispatcher } from 'undici'
import type { Readable } from 'node:stream'
import { dialTarget } from '../kernel/dial'
import { settled } from '../kernel/scope'
import { startTimeout } from '../kernel/timers'
import type { ClientSettings } from './options'
import type { SentFile } from './upload'
import type { PreparedRequest } from './request'

/** undici's types do not show that the socket is returned at once, before it is connected. */
export type Connect = (...args: Parameters<buildConnector.connector>) => Socket

/** Milliseconds for which an idle connection is kept if the device announces no keep-alive time. */
const idleTimeout = 4000

/** Milliseconds before the end of the announced keep-alive time at which the connection is closed here. */
const margin = 1000

/** Milliseconds of idleness after which the device may be about to close the connection. */
const maybeClosing = 1000

/**
 * One connection of a pool, with at most one request on it.
 *
 * The guarantee that nothing is executed twice relies on how undici 7.30 treats a request (`lib/dispatcher/client.js`
 * and `client-h1.js`). `onRequestStart` is called in `writeH1`, in the same turn, right before the first byte is handed
 * to the socket; a failure before it means that nothing was sent. A request that was written is queued and sent again
 * (`onHttpSocketClose`) only if the socket ends with `UND_ERR_INFO`: `aborted` (the request is dropped), `reset` and
 * `socket idle timeout` (both only with nothing on the socket, which one request at a time guarantees) and `servername
 * changed` (never here). So undici never repeats a request by itself.
 */
export class Connection {
  /** It has carried an answer. */
  proven = false
  /** The TLS alert received before the connection ended. undici drops it if the end follows immediately. */
  alert: Error | undefined
  private client?: UndiciClient
  private opening?: AbortController
  private socket?: Socket
  private usedAt = 0
  private closing: Promise<void> | undefined

  constructor(
    private readonly settings: ClientSettings,
    private readonly undici: typeof Undici,
    private readonly connect: Connect,
  ) {}

  /** @param now milliseconds @param unrepeatable avoids a connection that the device may be closing */
  dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    now: number,
    unrepeatable: boolean,
  ): void {
    if (unrepeatable && this.client && now - this.usedAt > maybeClosing) this.drop()
    this.client ??= this.open()
    this.client.dispatch(options, handler)
  }

  used(now: number): void {
    this.usedAt = now
  }

  drop(): void {
    const { client, opening, socket } = this
    this.client = undefined
    this.opening = undefined
    this.socket = undefined
    this.alert = undefined
    this.proven = false
    // Its request, if any, receives the failure.
    if (client) this.closing = settled(Promise.all([this.closing, client.destroy()]))
    opening?.abort()
    socket?.destroy()
  }

  /** Resolves when nothing is left of this connection and of those dropped before. */
  async close(): Promise<void> {
    this.drop()
    await this.closing
  }

  private open(): UndiciClient {
    return new this.undici.Client(this.settings.address.origin, {
      pipelining: 1,
      // The deadlines are ours: undici's are accurate only to a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleTimeout,
      keepAliveTimeoutThreshold: margin,
      keepAliveMaxTimeout: 60_000,
      maxResponseSize: this.settings.maxAnswerBytes,
      connect: (options, callback) => {
        this.dial(options).then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(error as Error, null),
        )
      },
    })
  }

  /** The request's own deadline drops the connection. */
  private async dial(target: buildConnector.Options): Promise<Socket> {
    const opening = (this.opening = new AbortController())
    const connect: Connect = (...one) => {
      const socket = this.connect(...one)
      socket.once('error', (error: NodeJS.ErrnoException) => {
        if (this.opening === opening && error.code?.startsWith('ERR_SSL_')) this.alert = error
      })
      return socket
    }
    const socket = await dialTarget(connect, target, { timeout: 0, signal: opening.signal })
    if (opening.signal.aborted) socket.destroy()
    else this.socket = socket
    return answerFirst(socket)
  }
}

/** The pool of a device. Prefers the most recently used connection: the device is least likely to have closed it. */
export class Connections {
  private readonly free: Connection[] = []
  private readonly all: Connection[] = []
  private readonly undici: typeof Undici
  private readonly connect: Connect

  constructor(private readonly settings: ClientSettings) {
    // oxlint-disable-next-line typescript/no-require-imports -- takes 60 ms, so not before there is a client
    this.undici = require('undici') as typeof Undici
    // Shared by all connections of the device, so that they share TLS sessions. The connect deadline is ours too.
    this.connect = this.undici.buildConnector({ ...settings.tls, timeout: 0 }) as unknown as Connect
  }

  take(): Connection {
    const free = this.free.pop()
    if (free) return free
    const made = new Connection(this.settings, this.undici, this.connect)
    this.all.push(made)
    return made
  }

  give(connection: Connection): void {
    this.free.push(connection)
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((connection) => connection.close()))
  }
}

type WriteCallback = (error?: Error | null) => void

const closed: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET'])

/** Delays the error of a failed write until the answer is read: a device that refuses a long upload answers and closes. */
function answerFirst(socket: Socket): Socket {
  const write = socket._write.bind(socket)
  const writev = socket._writev?.bind(socket)
  const held =
    (written: WriteCallback): WriteCallback =>
    (error) => {
      const isClosed = error && 'code' in error && closed.has(error.code)
      if (!isClosed || socket.readableEnded || socket.destroyed) written(error)
      // This always ends: such a connection delivers what was received, and then its end.
      else socket.once('end', () => process.nextTick(written, error))
    }
  socket._write = (chunk, encoding, written) => write(chunk, encoding, held(written))
  if (writev) socket._writev = (chunks, written) => writev(chunks, held(written))
  return socket
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

export interface HttpAnswer {
  status: number
  headers: Headers
  body: Buffer
}

interface AttemptOwner {
  answered: (answer: HttpAnswer) => void
  /** Failed in transit. `sent`: at least a byte was sent; `proven`: the connection has already carried an answer. */
  failed: (error: Error, sent: boolean, proven: boolean) => void
}

const nothing = Buffer.alloc(0)

/** Milliseconds for which an answer is awaited after its call has ended, at most; otherwise three deadlines more. */
const longestLate = 60_000

/**
 * Answers that come too late for their calls, one at a time: how long they take tells what deadline the device needs. None is
 * awaited while other calls need the connection.
 */
export class LateAnswers {
  /** Milliseconds that the last one took. */
  last: number | undefined
  private attempt: Attempt | undefined

  /** @param over the attempt has ended, and its connection is free */
  constructor(private readonly over: (connection: Connection) => void) {}

  /** @param deadline milliseconds of its call @returns false if another one is awaited */
  await(attempt: Attempt, deadline: number): boolean {
    if (this.attempt) return false
    this.attempt = attempt
    const timer = startTimeout(() => attempt.cancel(), Math.min(longestLate, 3 * deadline)).unref()
    attempt.awaitLate((milliseconds) => {
      clearTimeout(timer)
      this.attempt = undefined
      this.last = milliseconds ?? this.last
      this.over(attempt.connection)
    })
    return true
  }

  giveUp(): void {
    this.attempt?.cancel()
  }
}

export class Attempt implements Dispatcher.DispatchHandler {
  /** The device may have received the request. */
  sent = false
  private sentAt = 0
  /** Its call has ended; what is called at the end, with the milliseconds to the first byte of an answer. */
  private late: ((milliseconds: number | undefined) => void) | undefined
  private over = false
  private status = 0
  private headers: Headers = {}
  private first: Buffer | undefined
  private more: Buffer[] | undefined
  private stream: Readable | undefined

  constructor(
    private readonly owner: AttemptOwner,
    readonly connection: Connection,
    /** Deadline for the first byte, milliseconds. */
    readonly connectBy: number,
    private readonly file: SentFile | undefined,
  ) {}

  /** @param now milliseconds */
  start({ plan, path, headers, body }: PreparedRequest, stream: Readable | undefined, now: number): void {
    const { method } = plan.operation
    this.stream = stream
    this.connection.dispatch(
      { path, method, headers, body: stream ?? body },
      this,
      now,
      plan.repeat === 'once',
    )
  }

  /** When to check the deadlines next, milliseconds. */
  nextCheck(now: number): number {
    if (!this.sent) return this.connectBy
    // The parts of an upload move their deadline without notice, so check as often as one may expire.
    return this.file ? Math.min(this.file.partBy, now + this.file.stall) : Infinity
  }

  /** Ends the attempt without reporting. */
  cancel(): void {
    if (this.over) return
    this.finish()
    this.stream?.destroy()
    this.connection.drop()
    this.late?.(undefined)
  }

  /** Its call has ended: only the time of the answer is of interest. @param late called once */
  awaitLate(late: (milliseconds: number | undefined) => void): void {
    this.late = late
    this.first = this.more = undefined
  }

  onRequestStart(): void {
    // An error thrown here ends the request before its first byte and leaves the connection usable.
    if (this.over) throw new Error('cancelled')
    this.sent = true
    this.sentAt = performance.now()
  }

  onResponseStart(_: unknown, status: number, headers: Headers): void {
    const { late } = this
    if (late && !this.over) {
      this.finish()
      const milliseconds = Math.round(performance.now() - this.sentAt)
      // Not while undici reads from the connection.
      setImmediate(() => {
        this.connection.drop()
        late(milliseconds)
      })
      return
    }
    this.status = status
    this.headers = headers
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.over) return
    // Most answers arrive in one piece, which needs no copy.
    if (!this.first) this.first = chunk
    else (this.more ??= [this.first]).push(chunk)
  }

  onResponseEnd(): void {
    if (this.over) return
    this.connection.proven = true
    const body = this.more ? Buffer.concat(this.more) : (this.first ?? nothing)
    this.finish()
    this.owner.answered({ status: this.status, headers: this.headers, body })
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.over) return
    this.finish()
    this.stream?.destroy()
    const { alert, proven } = this.connection
    this.connection.drop()
    if (this.late) this.late(undefined)
    else this.owner.failed(alert ?? error, this.sent, proven)
  }

  /** Releases the received data: the stack of an error holds the attempt that it came from for as long as it is kept. */
  private finish() {
    this.over = true
    this.first = this.more = undefined
  }
}
