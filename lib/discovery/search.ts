/** One search: questions by broadcast and to single addresses, and the replies. Each device is reported once. */
import { randomInt } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { type DeviceIdentity, discoveryPort, discoveryRequest, identityIn } from '../codec/discovery'
import { orUndefined, settled } from '../kernel/scope'
import { pauseFor } from '../kernel/timers'
import { addressesIn, numberOfAddress } from './range'

/** A device that has answered. */
export interface FoundDevice extends DeviceIdentity {
  /** Where the answer came from: usually the device's own address. */
  from: string
  /** This computer has no address in the subnet of the device, and the device was not found by its address. */
  isOtherSubnet: boolean
}

interface OwnAddress {
  address: string
  netmask: string
  isLoopback: boolean
}

export interface SearchOptions {
  /** Addresses to ask one by one, besides the broadcasts: where none passes, as in a container or behind a router. */
  range?: string | undefined
  /** Ends the search. */
  signal: AbortSignal
  onFound?: (device: FoundDevice) => void
  /** Addresses of the range that were asked so far, and all. */
  onProgress?: (asked: number, total: number) => void
  /** @default the IPv4 addresses of this computer */
  own?: readonly OwnAddress[]
  /** @default 3956 */
  port?: number
}

/** Milliseconds: a device may delay its reply by a second. */
const patience = 2000

/** Milliseconds after which the broadcasts are repeated: a datagram may be lost. */
const repeatedAfter = 500

/** Addresses of the range that are asked at once, and the milliseconds between: 200 a second. */
const pace = { addresses: 4, every: 20 }

/** Loopback addresses that are always asked: virtual devices on one computer cannot share one. */
const loopback = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 1}`)

/** Most devices of one search. */
const mostFound = 2000

/** @returns all devices that answered, in the order of their answers @throws NotARange; nothing is sent then */
export async function searchDevices({
  range,
  signal,
  onFound,
  onProgress,
  own = ownAddresses(),
  port = discoveryPort,
}: SearchOptions): Promise<FoundDevice[]> {
  const addresses = range === undefined ? [] : addressesIn(range)
  const id = randomInt(1, 0x1_0000)
  const request = discoveryRequest(id)
  const found = new Map<string, FoundDevice>()
  const byAddress = new Set([...addresses, ...loopback])
  const take = (bytes: Buffer, { address: from }: RemoteInfo) => {
    const identity = identityIn(bytes, id)
    if (!identity || found.size >= mostFound) return
    const key = `${identity.mac} ${identity.serial} ${identity.details}`
    if (found.has(key)) return
    const isNear = own.some((each) => isSameSubnet(identity.address, each))
    const device = { ...identity, from, isOtherSubnet: !isNear && !byAddress.has(from) }
    found.set(key, device)
    onFound?.(device)
  }

  // Replies from other subnets come by broadcast, which a socket bound to one address does not receive.
  const all = await opened('0.0.0.0', 0, take)
  const sockets = [all]
  try {
    const { port: local } = all.address()
    const broadcasts: (() => Promise<void>)[] = loopback.map(
      (address) => () => sent(all, request, port, address),
    )
    for (const each of own.filter(({ isLoopback }) => !isLoopback)) {
      const socket = await orUndefined(opened(each.address, local, take))
      if (!socket) continue
      sockets.push(socket)
      for (const target of ['255.255.255.255', broadcastOf(each)])
        broadcasts.push(() => sent(socket, request, port, target))
    }
    const ask = () => Promise.all(broadcasts.map((send) => send()))
    await ask()
    const repeated = pauseFor(repeatedAfter, signal).then(() => (signal.aborted ? undefined : ask()))
    for (let next = 0; next < addresses.length && !signal.aborted; next += pace.addresses) {
      const some = addresses.slice(next, next + pace.addresses)
      await Promise.all(some.map((address) => sent(all, request, port, address)))
      onProgress?.(Math.min(next + pace.addresses, addresses.length), addresses.length)
      await pauseFor(pace.every, signal)
    }
    await repeated
    await pauseFor(patience - repeatedAfter, signal)
    return [...found.values()]
  } finally {
    await Promise.all(sockets.map((socket) => settled(closed(socket))))
  }
}

function opened(
  address: string,
  port: number,
  take: (bytes: Buffer, from: RemoteInfo) => void,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    socket.once('error', (error) => socket.close(() => reject(error)))
    socket.bind({ address, port, exclusive: true }, () => {
      socket.setBroadcast(true)
      // An answer "port unreachable" of one address must not end the search.
      socket.removeAllListeners('error').on('error', () => undefined)
      socket.on('message', take)
      resolve(socket)
    })
  })
}

/** Resolves also if the network refuses the datagram: a search continues with the other addresses. */
const sent = (socket: Socket, bytes: Buffer, port: number, address: string): Promise<void> =>
  settled(
    new Promise<void>((resolve, reject) => {
      socket.send(bytes, port, address, (error) => (error ? reject(error) : resolve()))
    }),
  )

const closed = (socket: Socket): Promise<void> => new Promise((resolve) => void socket.close(() => resolve()))

const ownAddresses = (): OwnAddress[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses
      .filter(({ family }) => family === 'IPv4')
      .map(({ address, netmask, internal }) => ({ address, netmask, isLoopback: internal })),
  )

const isSameSubnet = (address: string, { address: own, netmask }: OwnAddress): boolean =>
  masked(address, netmask) === masked(own, netmask)

const masked = (address: string, netmask: string): string => {
  const mask = netmask.split('.').map(Number)
  return address
    .split('.')
    .map((part, index) => Number(part) & (mask[index] ?? 0))
    .join('.')
}

/** The directed broadcast of a subnet: some tunnels pass that alone. */
function broadcastOf({ address, netmask }: OwnAddress): string {
  const size = 2 ** 32 - numberOfAddress(netmask)
  const last = Math.floor(numberOfAddress(address) / size) * size + size - 1
  return [24, 16, 8, 0].map((shift) => Math.floor(last / 2 ** shift) % 256).join('.')
}
