/**
 * Serves the peer of a socket request by request, so that one peer that sends without a pause delays nobody else.
 *
 * In: a socket; how requests are cut out of what arrives, and how one is answered. Out: at most one request in each turn of the
 * event loop, in order; none while earlier answers are unread. Meanwhile nothing is read from the socket, so that neither
 * requests nor answers pile up: what is kept is one piece of the network and one buffer of the socket.
 * Use it for every port of ours that reads lines or frames. It closes nothing: how long a request may be, and how long a peer
 * may take, is up to the protocol.
 */
import type { Socket } from 'node:net'

/** How a protocol reads and answers. */
export interface RequestHandler<Request> {
  /** Keeps what has arrived. */
  push: (bytes: Buffer) => void
  /** The next request out of what was kept; undefined if none is complete. */
  next: () => Request | undefined
  /** Writes the answer. The next request waits until the promise has been settled. */
  answer: (request: Request) => void | Promise<void>
  /** All complete requests have been answered. */
  idle?: () => void
}

export interface ServedSocket {
  /** Whether a request is being answered, or others wait. */
  readonly isBusy: boolean
  /** Answers and reads nothing until `release`. */
  hold: () => void
  release: () => void
}

/** @param handler an error that it throws ends the connection, as `error` of the socket */
export function serveSocket<Request>(socket: Socket, handler: RequestHandler<Request>): ServedSocket {
  let isBusy = false
  let isHeld = false
  /** Continues what waits: answers have been read, or are no longer held; or nobody is there to read them. */
  let wake: (() => void) | undefined

  const mustWait = () => !socket.destroyed && (isHeld || socket.writableNeedDrain)
  const permission = async () => {
    while (mustWait()) await new Promise<void>((resolve) => (wake = resolve))
  }
  const serve = async () => {
    isBusy = true
    await permission()
    for (let request = handler.next(); request !== undefined && !socket.destroyed; request = handler.next()) {
      await handler.answer(request)
      await nextTurn()
      await permission()
    }
    isBusy = false
    if (socket.destroyed) return
    handler.idle?.()
    socket.resume()
  }
  const begin = () => {
    if (isBusy) return
    serve().catch((error: unknown) =>
      socket.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  }
  const awake = () => wake?.()

  socket.on('data', (bytes: Buffer) => {
    handler.push(bytes)
    if (isBusy || mustWait()) socket.pause()
    begin()
  })
  socket.on('drain', awake).on('close', awake)

  return {
    get isBusy() {
      return isBusy
    },
    hold: () => {
      isHeld = true
      socket.pause()
    },
    release: () => {
      isHeld = false
      awake()
      if (!isBusy) socket.resume()
    },
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
