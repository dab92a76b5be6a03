import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Destination } from './destination'

/** How datagrams get to a destination. */
interface WayOptions {
  /** Own address that they come from. @default the system chooses */
  from?: string
}

/**
 * Datagrams come from the address that the device is served at, because receivers drop what comes from other hosts. A
 * device that is served on loopback sends to nobody but this machine.
 * @param served an address that is listened on
 * @returns undefined where no datagram may go
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
