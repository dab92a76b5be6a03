import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { VisionError } from '../client/vision-error'
import { streamError } from './sentences'

/** Who shares a socket. */
interface Listener {
  /** Whether datagrams of that host are for this one. */
  takes: (host: string) => boolean
  datagram: (bytes: Buffer) => void
  /** A datagram came that nobody takes. */
  foreign: (host: string) => void
  failed: (error: Error) => void
}

/** A place on a shared socket. */
interface Seat {
  port: number
  /** Size of the buffer in which datagrams wait to be read, bytes, as the system gave it. */
  bufferBytes: number
  /** Resolves when nothing is left; the socket closes with the last one. */
  leave: () => Promise<void>
}

interface SocketRequest {
  /** Own address. */
  address: string
  /** 0 is any. */
  port: number
  /** Bytes. Of those who share a socket the largest wish counts. */
  recvBufferSize: number
}

/** The sockets of this process: the system hands a datagram to one socket only. */
const hubs = new Map<string, Hub>()

/** @throws VisionError `INVALID_INPUT` where the system does not give the place */
export function takeSeat(place: SocketRequest, listener: Listener): Promise<Seat> {
  const shared = place.port === 0 ? undefined : hubs.get(keyOf(place))
  return (shared ?? new Hub({ ...place })).seat(place, listener)
}

const keyOf = ({ address, port }: SocketRequest) => `${address} ${port}`

class Hub {
  private readonly socket: Socket
  private readonly listeners = new Set<Listener>()
  private readonly bound: Promise<void>
  private bufferBytes = 0
  private closed: Promise<void> | undefined

  constructor(private readonly place: SocketRequest) {
    this.socket = createSocket(place.address.includes(':') ? 'udp6' : 'udp4')
    if (place.port !== 0) hubs.set(keyOf(place), this)
    this.bound = this.bind()
  }

  async seat({ recvBufferSize }: SocketRequest, listener: Listener): Promise<Seat> {
    this.listeners.add(listener)
    try {
      await this.bound
      if (recvBufferSize > this.bufferBytes) this.widen(recvBufferSize)
    } catch (error) {
      await this.leave(listener)
      throw error
    }
    const leave = () => this.leave(listener)
    return { port: this.place.port, bufferBytes: this.bufferBytes, leave }
  }

  private async bind(): Promise<void> {
    const { socket, place } = this
    try {
      const listening = once(socket, 'listening')
      socket.bind({ address: place.address, port: place.port })
      await listening
    } catch (error) {
      throw notGiven(error as NodeJS.ErrnoException, place)
    }
    place.port = socket.address().port
    hubs.set(keyOf(place), this)
    this.bufferBytes = socket.getRecvBufferSize()
    socket.on('message', (bytes, { address }) => this.hand(bytes, hostOf(address)))
    socket.on('error', (error) => {
      for (const listener of this.listeners) listener.failed(error)
    })
  }

  private hand(bytes: Buffer, host: string): void {
    let taken = false
    for (const listener of this.listeners) {
      if (!listener.takes(host)) continue
      taken = true
      listener.datagram(bytes)
    }
    if (!taken) for (const listener of this.listeners) listener.foreign(host)
  }

  /** The system gives what it likes; some refuse what they find too much. */
  private widen(bytes: number): void {
    try {
      this.socket.setRecvBufferSize(bytes)
    } catch {
      return
    }
    this.bufferBytes = this.socket.getRecvBufferSize()
  }

  private async leave(listener: Listener): Promise<void> {
    this.listeners.delete(listener)
    if (this.listeners.size > 0) return
    if (hubs.get(keyOf(this.place)) === this) hubs.delete(keyOf(this.place))
    this.closed ??= new Promise((resolve) => this.socket.close(() => resolve()))
    await this.closed
  }
}

/** IPv4 looks like IPv6 on a socket for both; a zone depends on the interface, not on the host. */
export const hostOf = (address: string): string =>
  address
    .replace(/^::ffff:(?=[\d.]+$)/i, '')
    .replace(/%.*/, '')
    .toLowerCase()

function notGiven(error: NodeJS.ErrnoException, { address, port }: SocketRequest): VisionError {
  const reason = error.code ?? error.message
  const key = reason === 'EADDRNOTAVAIL' || reason === 'ENOTFOUND' ? 'stream-address' : 'stream-port'
  return streamError({ code: 'INVALID_INPUT', key, values: { address, port, reason }, cause: { reason } })
}
