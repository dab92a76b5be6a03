import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIPv4, isIPv6 } from 'node:net'
import { errorsOf, type VisionError } from '../client/vision-error'
import type { StreamMessageType } from '../codec/streams'
import { sentencesIn } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'
import type { ReceiverOptions } from './receiver'

/**
 * Parses a destination as people write it: `192.168.0.7:30000`, `[fe80::1]:30000`, or just `30000` for a port of this
 * machine, whose address towards the device is then determined.
 * @param device name or IP address of the device
 * @returns `<ip>:<port>`
 * @throws VisionError `INVALID_INPUT` if it is not a destination, `UNREACHABLE` if no network leads to the device
 */
export async function readDestination(text: string, device: string): Promise<string> {
  const [, four = '', six = '', port = ''] = /^(?:([\d.]+):|\[([^\]]+)\]:)?(\d{1,5})$/.exec(text.trim()) ?? []
  const named = four !== '' || six !== ''
  if (!isPort(Number(port)) || (named && !isIPv4(four) && !isIPv6(six)))
    throw streamError({ code: 'INVALID_INPUT', key: 'stream-destination', values: { given: text } })
  return named ? text.trim() : `${inDestination((await routeTo(device)).local)}:${port}`
}

const isPort = (port: number) => port >= 1 && port <= 65_535

/** A local address in the form sent to the device: IPv6 in brackets, without the zone, which is local. */
const inDestination = (address: string): string => (isIPv6(address) ? `[${hostOf(address)}]` : address)

interface ListeningPlace {
  /** Local address to listen on. */
  address: string
  /** Local address that the device sends to, IPv6 in brackets. */
  reachedAt: string
  /** Hosts whose datagrams are accepted; undefined accepts all. */
  hosts: ReadonlySet<string> | undefined
}

const notOne = ['', '0.0.0.0', '::']

/** @throws VisionError `UNREACHABLE` */
export async function listeningPlace({
  device,
  address = '',
  allow = [],
}: Pick<ReceiverOptions<StreamMessageType>, 'device' | 'address' | 'allow'>): Promise<ListeningPlace> {
  const fixed = !notOne.includes(address)
  const route = fixed
    ? { local: address, device: allow === 'all' ? [] : await addressesOf(device) }
    : await routeTo(device)
  const others = allow === 'all' ? [] : (await Promise.all(allow.map(addressesOf))).flat()
  return {
    address: address === '' ? route.local : address,
    reachedAt: inDestination(route.local),
    hosts: allow === 'all' ? undefined : new Set([...route.device, ...others].map(hostOf)),
  }
}

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
async function addressesOf(host: string): Promise<string[]> {
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

export const streamError = errorsOf(sentencesIn<typeof en>(__dirname))

/** A dual-stack socket shows IPv4 as IPv6; a zone belongs to the interface, not to the host. */
export const hostOf = (address: string): string =>
  address
    .replace(/^::ffff:(?=[\d.]+$)/i, '')
    .replace(/%.*/, '')
    .toLowerCase()
