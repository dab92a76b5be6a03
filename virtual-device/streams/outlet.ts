import { createSocket, type Socket } from 'node:dgram'
import type { Destination } from './destination'

/** More than this that the system could not send yet, bytes, and further datagrams are dropped. */
const mostWaiting = 64 * 1024

/**
 * Sends datagrams to one destination, through a socket of its own: what waits for a host that does not answer takes up
 * this socket's buffer alone. Nothing that goes wrong is told to anybody, as with any UDP.
 */
export class Outlet {
  private socket: Socket | undefined

  constructor(private readonly to: Destination) {}

  send(datagram: Buffer): void {
    const socket = (this.socket ??= this.open())
    if (socket.getSendQueueSize() < mostWaiting) socket.send(datagram, this.to.port, this.to.host, ignored)
  }

  close(): void {
    const { socket } = this
    this.socket = undefined
    socket?.close()
  }

  private open(): Socket {
    // The host is an address: looking it up would only cost time.
    const { family } = this.to
    const lookup = (
      host: string,
      _: unknown,
      found: (error: null, address: string, family: number) => void,
    ) => found(null, host, family === 'udp4' ? 4 : 6)
    const socket = createSocket({ type: family, lookup })
    // It could not be opened, because there are too many for instance. The next datagram tries again.
    socket.on('error', () => {
      if (this.socket === socket) this.close()
    })
    return socket
  }
}

const ignored = () => undefined
