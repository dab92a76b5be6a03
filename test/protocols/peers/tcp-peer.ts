import { createServer, type Server, type Socket } from 'node:net'

/** A TCP server that can end with all its connections, and begin again. */
export function tcpPeer(port: number, serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  return {
    start: () =>
      new Promise<void>((resolve, reject) => {
        server = createServer({ noDelay: true }, (socket) => {
          sockets.add(socket)
          socket.on('close', () => sockets.delete(socket))
          socket.on('error', () => socket.destroy())
          serve(socket)
        })
        server.once('error', reject).listen(port, '127.0.0.1', resolve)
      }),
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        if (server) server.close(() => resolve())
        else resolve()
      }),
  }
}
