import { connect, createServer, type Socket } from 'node:net'
import { listening, type Listening } from '../listening'

interface Relay extends Listening {
  reset: () => void
}

/**
 * Forwards data unread.
 * @param carry handles a connection; `reach` opens one to the server
 */
export async function startRelay(
  url: string,
  carry: (near: Socket, reach: () => Socket) => void,
): Promise<Relay> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => carry(keep(near), () => keep(connect(Number(port), hostname))))
  const { stop, ...place } = await listening(server)
  return {
    ...place,
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    stop: async () => {
      const stopped = stop()
      // Received data is still forwarded.
      for (const socket of sockets) socket.destroySoon()
      await stopped
    },
  }
}
