/**
 * Serves the peer of a socket request by request, so that a peer that sends without a pause delays nobody else.
 *
 * In: a socket; how requests are cut out of the bytes, and how one is answered. Out: at most one request per turn of
 * the event loop, in order; none while earlier answers are unread. Meanwhile the socket is not read, so that neither
 * requests nor answers pile up. Use it for every port that reads lines or frames. It closes nothing: the protocol
 * limits the length of requests and the time of a peer.
 */
import type { Socket } from 'node:net'

export interface RequestHandler<Request> {
  push: (bytes: Buffer) => void
  /** The next buffered request; undefined if none is complete. */
  next: () => Request | undefined
  /** Writes the answer. The next request waits until the promise has settled. */
  answer: (request: Request) => void | Promise<void>
  idle?: () => void
}

export interface ServedSocket {
  readonly isBusy: boolean
  /** Answers and reads nothing until `release`. */
  hold: () => void
  release: () => void
}

/** @param handler an error that it throws ends the connection, as `error` of the socket */
export function serveSocket<Request>(socket: Socket, handler: RequestHandler<Request>): ServedSocket {
  let isBusy = false
  let isHeld = false
  /** Continues after a wait: answers were read, `release` was called, or the peer has gone. */
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
