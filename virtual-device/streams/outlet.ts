import { createSocket, type Socket } from 'node:dgram'
import type { Destination } from './destination'
import { wayTo } from './way'

/** More than this that the system could not send yet, bytes, and further datagrams are dropped. */
const mostWaiting = 64 * 1024
/** Milliseconds until it is tried again to open a socket, or to find a way. */
const pause = 1000

/**
 * Sends datagrams to one destination, through a socket of its own: what waits for a host that does not answer takes up
 * this socket's buffer alone. Nothing that goes wrong is told to anybody, as with any UDP.
 */
export class Outlet {
  private socket: Socket | undefined
  private closedUntil = -Infinity

  /** @param served the address that the device is served at */
  constructor(
    private readonly to: Destination,
    private readonly served: () => string | undefined,
  ) {}

  send(datagram: Buffer): void {
    if (!this.socket && performance.now() < this.closedUntil) return
    const socket = (this.socket ??= this.open())
    if (socket && socket.getSendQueueSize() < mostWaiting)
      socket.send(datagram, this.to.port, this.to.host, ignored)
  }

  close(): void {
    const { socket } = this
    this.socket = undefined
    socket?.close()
  }

  private open(): Socket | undefined {
    const way = wayTo(this.to, this.served())
    if (!way) {
      this.closedUntil = performance.now() + pause
      return undefined
    }
    // The host is an address: looking it up would only cost time.
    const { family } = this.to
    const lookup = (
      host: string,
      _: unknown,
      found: (error: null, address: string, family: number) => void,
    ) => found(null, host, family === 'udp4' ? 4 : 6)
    const socket = createSocket({ type: family, lookup })
    // It could not be opened: there are too many, or none of this family.
    socket.on('error', () => {
      if (this.socket !== socket) return
      this.close()
      this.closedUntil = performance.now() + pause
    })
    if (way.from !== undefined) socket.bind({ address: way.from, port: 0, exclusive: true })
    return socket
  }
}

const ignored = () => undefined
