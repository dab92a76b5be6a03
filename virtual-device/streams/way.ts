import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Destination } from './destination'

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
