import { isIPv4 } from 'node:net'

const known: Readonly<Record<string, string>> = {
  localhost: '127.0.0.1',
  '0.0.0.0': '127.0.0.1',
  '::': '::1',
  '::1': '::1',
}

/**
 * The loopback address of a server that listens on this address; undefined for a network address, which is never
 * queried.
 */
export const loopbackOf = (host: string): string | undefined =>
  Object.hasOwn(known, host) ? known[host] : isIPv4(host) && host.startsWith('127.') ? host : undefined
