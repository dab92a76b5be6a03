import { isIPv4, isIPv6 } from 'node:net'
import type { Destination } from './destination'

/**
 * The address that datagrams come from: the one that the device is served at, because receivers drop what comes from
 * other hosts. From a loopback address they go no further than this machine.
 * @param served an address that is listened on
 * @returns undefined where the system is to choose
 */
export function sourceFor(family: Destination['family'], served: string | undefined): string | undefined {
  if (served === undefined || everywhere.includes(served)) return undefined
  const ofFamily = family === 'udp4' ? isIPv4 : isIPv6
  if (ofFamily(served)) return served
  if (!served.startsWith('127.') && served !== '::1') return undefined
  return family === 'udp4' ? '127.0.0.1' : '::1'
}

const everywhere = ['0.0.0.0', '::']
