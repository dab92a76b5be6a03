import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection to a server of ours, byte by byte. */
export interface RawClient {
  socket: Socket
  send: (bytes: Buffer) => void
  /** As many bytes as that, once they have come. Rejects when the connection ends before. */
  receive: (count: number) => Promise<Buffer>
  /** Resolves when the server has ended the connection. */
  ended: Promise<unknown>
  close: () => void
}

export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  let bytes = Buffer.alloc(0)
  let wake = () => {}
  let isEnded = false
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isEnded = true
      wake()
      resolve()
    })
  })
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk])
    wake()
  })
  await once(socket, 'connect')
  return {
    socket,
    send: (sent) => void socket.write(sent),
    receive: async (count) => {
      while (bytes.length < count) {
        if (isEnded) throw new Error(`ended after ${bytes.length} of ${count} bytes`)
        await new Promise<void>((resolve) => (wake = resolve))
      }
      const received = bytes.subarray(0, count)
      bytes = bytes.subarray(count)
      return received
    },
    ended,
    close: () => socket.destroy(),
  }
}
