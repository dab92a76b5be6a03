import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** Keeps received datagrams. */
export interface Inbox {
  /** `127.0.0.1:30000` */
  destination: string
  port: number
  received: Buffer[]
  /** Waits for this many. */
  first: (count: number) => Promise<Buffer[]>
  send: (datagram: Buffer | string, to: { host?: string; port: number }) => Promise<void>
  close: () => Promise<void>
}

/** @param host @default '127.0.0.1' */
export async function openInbox(host = '127.0.0.1', port = 0): Promise<Inbox> {
  const socket: Socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  const received: Buffer[] = []
  let arrived: () => void = () => undefined
  socket.on('message', (datagram) => {
    received.push(datagram)
    arrived()
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  const bound = socket.address().port
  return {
    destination: `${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    received,
    first: async (count) => {
      while (received.length < count)
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      return received.slice(0, count)
    },
    send: (datagram, to) =>
      new Promise((resolve, reject) =>
        socket.send(datagram, to.port, to.host ?? '127.0.0.1', (error) => {
          if (error) reject(error)
          else resolve()
        }),
      ),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}
