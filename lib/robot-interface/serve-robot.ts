import type { Socket } from 'node:net'
import { serveSocket } from '../kernel/serve-socket'
import { startInterval } from '../timers/timers'
import { writeAnswer, type RobotAnswer } from './answer'
import type { RobotRequest } from './request'
import { RequestReader, type ReceivedRequest } from './request-reader'

/** What answers the requests of robots. */
export interface AnswersRobots {
  /**
   * @param gone aborted when the robot disconnects
   * @returns undefined if nothing is to be sent: the connection is reset
   */
  answer: (
    request: RobotRequest,
    gone: AbortSignal,
  ) => RobotAnswer | undefined | Promise<RobotAnswer | undefined>
  /** Whether connections are reset at present. */
  readonly isGone: boolean
  /** Bytes that are no request were answered with that code. */
  refused?: (received: ReceivedRequest, code: number) => void
}

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
export function serveRobot(socket: Socket, robots: AnswersRobots, lookEvery = 1000): void {
  const reader = new RequestReader()
  const gone = new AbortController()
  let isLast = false
  let looks = 0
  let watch: NodeJS.Timeout | undefined

  const answerTo = async (received: ReceivedRequest): Promise<Buffer | undefined> => {
    if ('code' in received) {
      isLast ||= received.outOfStep
      robots.refused?.(received, received.code)
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
        if (!served.isBusy && ++looks >= mostLooks) socket.destroy()
      }, lookEvery).unref()
  }
  const stopWatching = () => {
    clearInterval(watch)
    watch = undefined
  }

  socket.setNoDelay(true).setKeepAlive(true, keepAlive)
  const served = serveSocket<ReceivedRequest>(socket, {
    push: (bytes) => reader.push(bytes),
    next: () => reader.next(),
    answer: async (received) => {
      const bytes = robots.isGone ? undefined : await answerTo(received)
      if (bytes) socket.write(bytes)
      else socket.resetAndDestroy()
    },
    idle: () => {
      if (isLast) socket.end()
      watchOver()
    },
  })
  socket.on('end', () => {
    gone.abort()
    isLast = true
    if (!served.isBusy) socket.end()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    gone.abort()
    stopWatching()
  })
}
