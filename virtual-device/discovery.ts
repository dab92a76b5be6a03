import { createSocket, type Socket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import {
  type DeviceIdentity,
  discoveryPort,
  discoveryReply,
  discoveryRequestIn,
} from '../lib/codec/discovery'
import { packageVersion } from '../lib/files/package-version'

/** What answers a search for devices. */
export interface DiscoveryResponder {
  /** Where it listens; empty if the port is taken everywhere, which never stops a device. */
  addresses: readonly string[]
  close: () => Promise<void>
}

interface Announced {
  /** Address of the API. */
  host: string
  /** Port of the API: GigE Vision has no field for it, so it is in the manufacturer's information. */
  port: number
  model: string
  serial: string
  /** `00:14:2d:01:02:03` */
  mac: string
  name: string
}

/** Loopback addresses that are tried: each of the virtual devices of a computer has its own. */
const loopback = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 1}`)

/** Answers discovery requests on the device's own address. @param port @default 3956 */
export async function answerDiscovery(device: Announced, port = discoveryPort): Promise<DiscoveryResponder> {
  const isLoopback = /^(?:127\.|localhost$|::1$)/.test(device.host)
  const sockets: Socket[] = []
  if (isLoopback) {
    const places = device.host.startsWith('127.') ? [...new Set([device.host, ...loopback])] : loopback
    for (const address of places) {
      const socket = await bound(address, port, false)
      if (socket) sockets.push(socket)
      if (socket) break
    }
  } else {
    const isAll = device.host === '0.0.0.0' || device.host === '::'
    const address = isAll ? '0.0.0.0' : device.host
    // A socket bound to one address does not receive broadcasts.
    for (const each of isAll ? [address] : [address, '255.255.255.255']) {
      const socket = await bound(each, port, true)
      if (socket) sockets.push(socket)
    }
  }
  const [own] = sockets
  for (const socket of sockets)
    socket.on('message', (bytes, { address: from, port: place }) => {
      const request = discoveryRequestIn(bytes)
      if (!request) return
      const address = addressFor(from, device.host)
      const isNear = from.startsWith('127.') || isSameSubnet(from, address)
      const targets = request.mayBroadcast && !isNear ? [from, '255.255.255.255'] : [from]
      // Whoever does not receive it asks again.
      for (const target of targets)
        own?.send(discoveryReply(identityOf(device, address), request.id), place, target, () => undefined)
    })
  return {
    addresses: sockets.map((socket) => socket.address().address),
    close: async () => {
      await Promise.all(
        sockets.map((socket) => new Promise<void>((resolve) => void socket.close(() => resolve()))),
      )
    },
  }
}

/** @returns undefined if the address is taken or not of this computer */
function bound(address: string, port: number, reuseAddr: boolean): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket({ type: 'udp4', reuseAddr })
    socket.once('error', () => socket.close(() => resolve(undefined)))
    socket.bind({ address, port, exclusive: true }, () => {
      socket.setBroadcast(true)
      socket.removeAllListeners('error').on('error', () => undefined)
      resolve(socket)
    })
  })
}

interface OwnAddress {
  address: string
  netmask: string
}

const ownAddresses = (): OwnAddress[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ family, internal }) => family === 'IPv4' && !internal),
  )

const isSameSubnet = (other: string, { address, netmask }: OwnAddress): boolean =>
  netmask.split('.').every((mask, index) => {
    const [one = 0, two = 0] = [address, other].map((each) => Number(each.split('.')[index]))
    return (one & Number(mask)) === (two & Number(mask))
  })

/** The address at which the sender reaches the device. */
function addressFor(from: string, host: string): OwnAddress {
  if (from.startsWith('127.'))
    return { address: host.startsWith('127.') ? host : '127.0.0.1', netmask: '255.0.0.0' }
  const own = ownAddresses()
  const found =
    own.find(({ address }) => address === host) ?? own.find((each) => isSameSubnet(from, each)) ?? own[0]
  return found ?? { address: host, netmask: '255.255.255.0' }
}

const identityOf = (
  { port, model, serial, mac, name }: Announced,
  { address, netmask }: OwnAddress,
): DeviceIdentity => ({
  mac,
  address,
  mask: netmask,
  gateway: '0.0.0.0',
  manufacturer: 'Virtual',
  model,
  version: packageVersion(),
  details: `http=${port}`,
  serial,
  name,
})
