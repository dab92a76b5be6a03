import type { Socket } from 'node:net'
import type * as Undici from 'undici'
import type { buildConnector, Client as UndiciClient, Dispatcher } from 'undici'
import { answerFirst } from './answer-first'
import type { ClientSettings } from './options'

/** undici's types do not show that the socket is returned at once, before it is connected. */
export type Connect = (...args: Parameters<buildConnector.connector>) => Socket

/** Milliseconds for which an idle connection is kept if the device does not announce a keep-alive time. */
const keptFor = 4000
/** Milliseconds before the keep-alive time announced by the device at which the connection is closed here. */
const margin = 1000
/** Milliseconds of idleness after which the device may be about to close the connection. */
const maybeClosing = 1000

/**
 * One connection of a pool, with at most one request on it.
 *
 * The promise that nothing is executed twice relies on how undici 7.30 treats a request (`lib/dispatcher/client.js` and
 * `client-h1.js`). `onRequestStart` is called in `writeH1`, in the same turn, right before the first byte is handed to
 * the socket; a failure before it means that nothing was sent. A request that was written is queued and sent again
 * (`onHttpSocketClose`) only if the socket ends with `UND_ERR_INFO`: `aborted` (the request is marked as aborted and
 * dropped), `reset` and `socket idle timeout` (both only with nothing on the socket, which one request at a time
 * guarantees) and `servername changed` (ours never changes). So undici never repeats a request by itself.
 */
export class Connection {
  /** Whether it has carried an answer. */
  proven = false
  /** The TLS alert received before the connection ended. undici drops it if the end follows immediately. */
  alert: Error | undefined
  private client?: UndiciClient
  private socket?: Socket
  private usedAt = 0

  constructor(
    private readonly settings: ClientSettings,
    private readonly undici: typeof Undici,
    private readonly connect: Connect,
  ) {}

  /**
   * Sends a request. `now` is in milliseconds. With `unrepeatable`, avoids a connection that the device may be closing.
   */
  dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    now: number,
    unrepeatable: boolean,
  ): void {
    if (unrepeatable && this.client && now - this.usedAt > maybeClosing) void this.drop()
    this.client ??= this.open()
    this.client.dispatch(options, handler)
  }

  used(now: number): void {
    this.usedAt = now
  }

  /** Closes the connection, even while it is being set up; the next request opens a new one. */
  async drop(): Promise<void> {
    const { client, socket } = this
    this.client = undefined
    this.socket = undefined
    this.alert = undefined
    this.proven = false
    // undici leaves a connecting socket to its own timeout.
    const gone = client?.destroy()
    socket?.destroy()
    await gone
  }

  private open(): UndiciClient {
    return new this.undici.Client(this.settings.address.origin, {
      pipelining: 1,
      // The deadlines are ours: undici's are accurate only to a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keptFor,
      keepAliveTimeoutThreshold: margin,
      keepAliveMaxTimeout: 60_000,
      maxResponseSize: this.settings.maxAnswerBytes,
      connect: (options, callback) => {
        const socket = answerFirst(this.connect(options, callback))
        this.socket = socket
        socket.once('error', (error: NodeJS.ErrnoException) => {
          if (this.socket === socket && error.code?.startsWith('ERR_SSL_')) this.alert = error
        })
      },
    })
  }
}
