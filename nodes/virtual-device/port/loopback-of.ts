import { isIPv4 } from 'node:net'

const known: Readonly<Record<string, string>> = {
  localhost: '127.0.0.1',
  '0.0.0.0': '127.0.0.1',
  '::': '::1',
  '::1': '::1',
}

/**
 * The loopback address at which whoever listens on this address is found; undefined for an address in the network, where
 * nobody is asked.
 */
export const loopbackOf = (host: string): string | undefined =>
  Object.hasOwn(known, host) ? known[host] : isIPv4(host) && host.startsWith('127.') ? host : undefined
