import { EventEmitter, once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A cable to a server that can be pulled: every connection through it ends at once. */
export interface Cable {
  /** Address of this end. */
  url: string
  /** Resolves when the last part of a form has gone to the other end. */
  formSent: () => Promise<void>
  /** Pulls it, and plugs it in again at once. */
  pull: () => void
  remove: () => Promise<void>
}

/** @param url of the server at the other end */
export async function cableTo(url: string): Promise<Cable> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const ends = new EventEmitter()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((near) => {
    const far = keep(connect(Number(port), hostname))
    keep(near).pipe(far).pipe(near)
    near.on('data', (chunk: Buffer) => {
      if (chunk.toString('latin1').endsWith('--\r\n')) setImmediate(() => ends.emit('form'))
    })
    // What went in comes out, also where the one who sent it is gone.
    near.on('close', () => far.end())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const pull = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    formSent: () => once(ends, 'form').then(() => undefined),
    pull,
    remove: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroySoon()
      }),
  }
}
