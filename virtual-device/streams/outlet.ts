import { createSocket, type Socket } from 'node:dgram'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Refusal, shown } from '../values'

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

/** The route of datagrams to a destination. */
interface WayOptions {
  /** Local address from which they are sent. @default chosen by the system */
  from?: string
}

/**
 * Datagrams are sent from the address at which the device is reached, because receivers drop datagrams from other
 * hosts. A device on loopback sends only to this machine.
 * @param served the address that the device listens on
 * @returns undefined if sending is not allowed
 */
export function wayTo({ host, family }: Destination, served: string | undefined): WayOptions | undefined {
  if (served === undefined || everywhere.includes(served)) return {}
  const ofFamily = family === 'udp4' ? isIPv4 : isIPv6
  if (!isLoopback(served)) return ofFamily(served) ? { from: served } : {}
  if (!isLoopback(host) && !isOwn(host)) return undefined
  return { from: ofFamily(served) ? served : family === 'udp4' ? '127.0.0.1' : '::1' }
}

const everywhere = ['0.0.0.0', '::']

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

const withoutZone = (host: string): string => host.replace(/%.*/, '')
const isLoopback = (host: string): boolean => {
  const address = withoutZone(host)
  return loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
const isOwn = (host: string): boolean =>
  Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === withoutZone(host).toLowerCase()),
  )

/** The address of a stream's receiver. */
interface Destination {
  host: string
  port: number
  family: 'udp4' | 'udp6'
}

/** Parses `192.168.0.2:30000` or `[fe80::1%eth0]:30000`. @throws Refusal 400 */
export function destinationOf(text: string): Destination {
  const [, four, six, port = ''] =
    /^(?:([\d.]+)|\[([0-9a-f:.]+(?:%[\w.-]+)?)\]):([1-9]\d{0,4})$/i.exec(text) ?? []
  const host = four ?? six ?? ''
  const known = four === undefined ? isIPv6(host) : isIPv4(host)
  if (!known || Number(port) > 65_535)
    throw new Refusal(400, `destination: ${shown(text)} must have the form <ip>:<port>`)
  return { host, port: Number(port), family: four === undefined ? 'udp6' : 'udp4' }
}

/**
 * Seconds: after a pause of the process up to this long, its messages are sent late; after a longer one they are
 * skipped.
 */
const madeUpFor = 0.5

/** Tells which moments are due. They are multiples of the period on the clock, so that delays do not add up. */
export class Pace {
  private next: number | undefined

  /** @param rate moments per second @param delay seconds after which a moment is due */
  constructor(
    private readonly rate: number,
    private readonly delay: number,
  ) {}

  /** The moments that have become due since the last call, as multiples of the period. */
  due(now: number): number[] {
    const latest = this.latest(now)
    const late = this.next === undefined ? undefined : latest - this.next
    // At the first call, and after the clock was changed.
    const first =
      late === undefined || late < -2 || late > madeUpFor * this.rate ? latest : (this.next as number)
    this.next = Math.max(first, latest + 1)
    return Array.from({ length: latest - first + 1 }, (_, index) => first + index)
  }

  /** Seconds until the next moment is due. */
  wait(now: number): number {
    return (this.next ?? this.latest(now) + 1) / this.rate + this.delay - now
  }

  private latest(now: number): number {
    // A clock with a resolution of milliseconds must not make the moment itself seem early.
    return Math.floor((now - this.delay) * this.rate + 1e-4)
  }
}
