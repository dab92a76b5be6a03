import type { Socket } from 'node:net'
import { serveSocket } from '../kernel/serve-socket'
import { requestReader, type RawRequest } from './requests'
import { startInterval } from '../timers/timers'

/** Milliseconds from one look for more of an unfinished request to the next. */
const look = 25
/** Looks without anything new after which a request without an end is complete, and one that shows its end never will be. */
const patience = { short: 8, long: 80 } as const

/** The text side of one robot's socket. */
export interface RobotConnection {
  /** Sends an answer in one piece. */
  send: (text: string) => void
}

/**
 * Takes requests out of a socket. Looks are counted, not time: a process that stood still must not take the first half of a
 * request for all of it.
 */
export function openConnection(
  socket: Socket,
  kind: 'text' | 'xml',
  onRequest: (raw: RawRequest) => void,
): RobotConnection {
  const reader = requestReader(kind)
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearInterval(timer)

  serveSocket<RawRequest>(socket, {
    push: (bytes) => {
      stop()
      // Every byte is a character, whatever the robot's language is.
      reader.push(bytes.toString('latin1'))
    },
    next: () => reader.next(),
    answer: onRequest,
    idle: () => {
      stop()
      if (!reader.isWaiting) return
      let looks = 0
      timer = startInterval(() => {
        if (++looks < patience[reader.hasEnds ? 'long' : 'short']) return
        stop()
        for (const each of reader.flush()) onRequest(each)
      }, look)
    },
  })
  socket.once('close', stop)

  return {
    send: (text) => {
      if (socket.writable) socket.write(text, 'latin1')
    },
  }
}
