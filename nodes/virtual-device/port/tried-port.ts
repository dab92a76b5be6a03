import { createServer } from 'node:net'

export type TriedPort = 'free' | 'inUse' | 'notAllowed'

/** Whether a server could listen there now: listens briefly, without accepting a connection. */
export function triedPort(host: string, port: number): Promise<TriedPort> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? 'inUse' : 'notAllowed'),
    )
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('free')))
  })
}
