import { isIPv4, isIPv6 } from 'node:net'
import { routeTo } from './route'
import { streamError } from './sentences'
import { hostOf } from './socket-hub'

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
export const inDestination = (address: string): string => (isIPv6(address) ? `[${hostOf(address)}]` : address)
