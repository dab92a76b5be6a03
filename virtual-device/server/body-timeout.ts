import type { IncomingMessage } from 'node:http'
import { startInterval } from '../../lib/timers/timers'

/**
 * Calls back if the body of a request stops arriving, so that a slow sender does not hold resources for ever.
 * @param seconds without a byte
 */
export function onStalledBody(request: IncomingMessage, seconds: number, stalled: () => void): void {
  const { socket } = request
  let received = socket.bytesRead
  const timer = startInterval(() => {
    if (request.complete) stop()
    else if (socket.bytesRead > received) received = socket.bytesRead
    else {
      stop()
      stalled()
    }
  }, seconds * 1000).unref()
  const stop = () => clearInterval(timer)
  request.once('end', stop).once('close', stop)
}
