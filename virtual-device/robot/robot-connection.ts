import type { Socket } from 'node:net'
import { RequestReader, writeAnswer, type ReceivedRequest } from '../../lib/robot-interface'
import { startInterval } from '../../lib/timers/timers'
import type { RobotInterface } from './robot-interface'

/** Looks without a byte, in the middle of a request, after which the connection is closed. */
const mostLooks = 5
/** Interval of TCP keep-alive, ms: it frees what half-open connections hold. */
const keepAlive = 30_000

/**
 * Serves one robot: its requests in order, each answer in one write. An idle connection is never closed, because robots
 * do not reconnect by themselves.
 * @param lookEvery ms between two looks at an incomplete request. Looks are counted instead of time, so that a process
 *   that stands still for a while does not lose its robots.
 */
export function serveRobot(
  socket: Socket,
  robots: Pick<RobotInterface, 'answer' | 'isGone'>,
  lookEvery = 1000,
): void {
  const reader = new RequestReader()
  const gone = new AbortController()
  let isBusy = false
  let isLast = false
  let looks = 0
  let watch: NodeJS.Timeout | undefined

  const serve = async () => {
    isBusy = true
    for (let next = reader.next(); next && !socket.destroyed; next = reader.next()) {
      const bytes = robots.isGone ? undefined : await answerTo(next)
      if (!bytes) {
        socket.resetAndDestroy()
        return
      }
      if (!socket.write(bytes)) await drained(socket)
    }
    isBusy = false
    if (isLast) socket.end()
    watchOver()
    socket.resume()
  }

  const answerTo = async (received: ReceivedRequest): Promise<Buffer | undefined> => {
    if ('code' in received) {
      isLast ||= received.outOfStep
      return writeAnswer(received.echo, { code: received.code })
    }
    const answer = await robots.answer(received.request, gone.signal)
    return answer && writeAnswer(received.echo, answer)
  }

  /** Watches an incomplete request, and a robot that was told that nothing it sends can be understood. */
  const watchOver = () => {
    looks = 0
    if (!reader.isWithinRequest && !isLast) stopWatching()
    else
      watch ??= startInterval(() => {
        if (!isBusy && ++looks >= mostLooks) socket.destroy()
      }, lookEvery).unref()
  }
  const stopWatching = () => {
    clearInterval(watch)
    watch = undefined
  }

  socket.setNoDelay(true).setKeepAlive(true, keepAlive)
  socket.on('data', (bytes: Buffer) => {
    reader.push(bytes)
    // No robot sends a second request before its answer.
    if (isBusy) socket.pause()
    else void serve()
  })
  socket.on('end', () => {
    gone.abort()
    isLast = true
    if (!isBusy) socket.end()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    gone.abort()
    stopWatching()
  })
}

const drained = (socket: Socket) =>
  new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    if (socket.destroyed) resolve()
    else socket.on('drain', done).on('close', done)
  })
