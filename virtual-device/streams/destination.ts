import { isIPv4, isIPv6 } from 'node:net'
import { Refusal } from '../refusal'
import { shown } from '../shown'

/** The address of a stream's receiver. */
export interface Destination {
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
