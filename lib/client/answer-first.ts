import type { Socket } from 'node:net'

type WriteCallback = (error?: Error | null) => void

/** What a write ends with where the device has closed or reset the connection. */
const closed: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET'])

/**
 * Lets what the device said before it closed the connection be read before a failed write ends the socket. A device
 * that refuses a long upload answers and closes while it is still being sent, and an early answer would be lost else.
 */
export function answerFirst(socket: Socket): Socket {
  const write = socket._write.bind(socket)
  const writev = socket._writev?.bind(socket)
  const held =
    (written: WriteCallback): WriteCallback =>
    (error) => {
      const isClosed = error && 'code' in error && closed.has(error.code)
      if (!isClosed || socket.readableEnded || socket.destroyed) written(error)
      // The system has nothing to wait for on such a connection: after what was received comes its end.
      else socket.once('end', () => process.nextTick(written, error))
    }
  socket._write = (chunk, encoding, written) => write(chunk, encoding, held(written))
  if (writev) socket._writev = (chunks, written) => writev(chunks, held(written))
  return socket
}
