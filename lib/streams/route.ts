import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { VisionError } from '../client/vision-error'
import { streamError } from './sentences'

/** How this machine reaches a device. */
export interface Route {
  /** The local address at which the device's datagrams arrive. */
  local: string
  /** All addresses of the device to which its name resolves. */
  device: readonly string[]
}

/** The discard port. Nothing is sent there: connecting a UDP socket only makes the system choose a route. */
const anyPort = 9

/**
 * Finds the local address towards a device, which matters on a machine with several networks.
 * @param host name or IP address, with or without brackets
 * @throws VisionError `UNREACHABLE` if the name is unknown or no network leads there
 */
export async function routeTo(host: string): Promise<Route> {
  const device = await addressesOf(host)
  let reason: unknown
  for (const address of device) {
    try {
      return { local: await ownAddressTowards(address), device }
    } catch (error) {
      reason ??= error
    }
  }
  throw unreachable('stream-no-route', host, reason)
}

/** @throws VisionError `UNREACHABLE` */
export async function addressesOf(host: string): Promise<string[]> {
  try {
    const found = await lookup(host.replace(/^\[(.*)\]$/, '$1'), { all: true })
    // Every device supports IPv4.
    return found.sort((one, other) => one.family - other.family).map(({ address }) => address)
  } catch (error) {
    throw unreachable('stream-host', host, error)
  }
}

async function ownAddressTowards(address: string): Promise<string> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  try {
    const connected = once(socket, 'connect')
    socket.connect(anyPort, address)
    await connected
    return socket.address().address
  } finally {
    socket.close()
  }
}

function unreachable(key: 'stream-host' | 'stream-no-route', host: string, error: unknown): VisionError {
  const { code, message } = error as NodeJS.ErrnoException
  const reason = code ?? message
  return streamError({ code: 'UNREACHABLE', key, values: { host, reason }, cause: { reason } })
}
