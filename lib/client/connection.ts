import type { Socket } from 'node:net'
import type * as Undici from 'undici'
import type { buildConnector, Client as UndiciClient, Dispatcher } from 'undici'
import { answerFirst } from './answer-first'
import type { ClientSettings } from './options'

/** undici's types hide that the socket is answered at once, before it is connected. */
export type Connect = (...args: Parameters<buildConnector.connector>) => Socket

/** Milliseconds a connection is kept where the device does not say how long it keeps it. */
const keptFor = 4000
/** Milliseconds before the device's own announced end of a connection at which it is given up here. */
const margin = 1000
/** Milliseconds after which the device may be closing an idle connection just now. */
const maybeClosing = 1000

/**
 * One connection of a pool, with at most one request on it.
 *
 * What undici 7.30 does with a request, read in `lib/dispatcher/client.js` and `client-h1.js`, on which the promise
 * that nothing runs twice rests: `onRequestStart` is called in `writeH1`, in the same turn right before the first byte
 * is handed to the socket, so a failure before it means that nothing was sent. A request that was written is put back
 * into the queue and sent again (`onHttpSocketClose`) only where the socket ends with `UND_ERR_INFO`: `aborted` (it is
 * marked as aborted then and dropped), `reset` and `socket idle timeout` (both only with nothing on the socket, which
 * one request at a time guarantees) and `servername changed` (ours never changes). So undici never repeats one by itself.
 */
export class Connection {
  /** It has carried an answer. */
  proven = false
  /** What TLS said before it ended the connection. undici forgets it where the end comes right behind. */
  alert: Error | undefined
  private client?: UndiciClient
  private socket?: Socket
  private usedAt = 0

  constructor(
    private readonly settings: ClientSettings,
    private readonly undici: typeof Undici,
    private readonly connect: Connect,
  ) {}

  /** Sends a request. `now` in milliseconds. With `unrepeatable`, not on a connection that the device may be closing. */
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

  /** Ends the connection, also one that is still being set up; the next request makes a new one. */
  async drop(): Promise<void> {
    const { client, socket } = this
    this.client = undefined
    this.socket = undefined
    this.alert = undefined
    this.proven = false
    // undici leaves a socket that is still connecting to its own timeout.
    const gone = client?.destroy()
    socket?.destroy()
    await gone
  }

  private open(): UndiciClient {
    return new this.undici.Client(this.settings.address.origin, {
      pipelining: 1,
      // Deadlines are ours: undici's are accurate at a second only.
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
