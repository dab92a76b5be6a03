import type { Socket } from 'node:net'

type WriteCallback = (error?: Error | null) => void

/** Error codes of a write after the device has closed or reset the connection. */
const closed: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET'])

/**
 * Delays the error of a failed write until the device's answer has been read. A device that refuses a long upload
 * answers and closes while the upload is still being sent; without this the answer would be lost.
 */
export function answerFirst(socket: Socket): Socket {
  const write = socket._write.bind(socket)
  const writev = socket._writev?.bind(socket)
  const held =
    (written: WriteCallback): WriteCallback =>
    (error) => {
      const isClosed = error && 'code' in error && closed.has(error.code)
      if (!isClosed || socket.readableEnded || socket.destroyed) written(error)
      // The wait always ends: such a connection delivers what was received, and then its end.
      else socket.once('end', () => process.nextTick(written, error))
    }
  socket._write = (chunk, encoding, written) => write(chunk, encoding, held(written))
  if (writev) socket._writev = (chunks, written) => writev(chunks, held(written))
  return socket
}
