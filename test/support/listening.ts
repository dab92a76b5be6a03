import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

export interface Listening {
  url: string
  port: number
  /** With all connections. */
  stop: () => Promise<void>
}

/** On a free loopback port; broken connections do not fail the test. */
export async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
