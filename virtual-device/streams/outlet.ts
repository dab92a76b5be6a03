import { createSocket, type Socket } from 'node:dgram'
import type { Destination } from './destination'
import { wayTo } from './way'

/** Bytes waiting in the system above which further datagrams are dropped. */
const mostWaiting = 64 * 1024
/** Milliseconds before another attempt to open a socket or to find a route. */
const pause = 1000

/**
 * Sends datagrams to one destination through a socket of its own, so that datagrams for an unresponsive host only fill
 * that socket's buffer. Errors are not reported, as usual with UDP.
 */
export class Outlet {
  private socket: Socket | undefined
  private closedUntil = -Infinity

  /** @param served the address at which the device is reached */
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
    // The host is an address: a DNS lookup would only cost time.
    const { family } = this.to
    const lookup = (
      host: string,
      _: unknown,
      found: (error: null, address: string, family: number) => void,
    ) => found(null, host, family === 'udp4' ? 4 : 6)
    const socket = createSocket({ type: family, lookup })
    // It could not be opened: there are too many sockets, or the address family is not available.
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
