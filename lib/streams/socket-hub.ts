import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { VisionError } from '../client/vision-error'
import { streamError } from './sentences'

/** A user of a shared socket. */
interface Listener {
  /** Whether it accepts datagrams from that host. */
  takes: (host: string) => boolean
  datagram: (bytes: Buffer) => void
  /** Called with a datagram that nobody accepts. */
  foreign: (host: string) => void
  failed: (error: Error) => void
}

/** A share in a socket. */
interface Seat {
  port: number
  /** Size of the receive buffer in bytes, as granted by the system. */
  bufferBytes: number
  /** Resolves when nothing is left; the socket closes with its last user. */
  leave: () => Promise<void>
}

interface SocketRequest {
  /** Local address. */
  address: string
  /** 0 is any free port. */
  port: number
  /** Bytes. Users of the same socket get the largest size requested. */
  recvBufferSize: number
}

/** The sockets of this process, shared because the system delivers a datagram to one socket only. */
const hubs = new Map<string, Hub>()

/** @throws VisionError `INVALID_INPUT` if the system refuses the address or port */
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

  /** The system decides how much to grant; some refuse too large a size. */
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

/** A dual-stack socket shows IPv4 as IPv6; a zone belongs to the interface, not to the host. */
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
