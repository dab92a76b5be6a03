/** A range of IPv4 addresses as people write it: `192.168.0.0/24`, `192.168.0.10-50`, `10.0.0.1-10.0.0.80`, one address. */
import { BlockList, isIPv4 } from 'node:net'

/** Most addresses of one search. */
export const mostAddresses = 1024

/** Why a text is not a range that may be searched. */
export type RangeFault = 'form' | 'order' | 'size' | 'public'

export class NotARange extends RangeError {
  override readonly name = 'NotARange'

  constructor(
    readonly range: string,
    readonly fault: RangeFault,
  ) {
    super(`${range}: ${fault}`)
  }
}

/** Networks that belong to a plant or a computer; a stranger's addresses are never asked. */
const local = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
] as const)
  local.addSubnet(network, bits)

export const numberOfAddress = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const addressOf = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')

/** All addresses of a range, at most 1024; of a network without its own and its broadcast address. @throws NotARange */
export function addressesIn(range: string): string[] {
  const text = range.replaceAll(/\s/g, '')
  const [first, last] = limitsOf(text) ?? []
  if (first === undefined || last === undefined) throw new NotARange(range, 'form')
  if (last < first) throw new NotARange(range, 'order')
  if (last - first >= mostAddresses) throw new NotARange(range, 'size')
  const addresses = Array.from({ length: last - first + 1 }, (_, index) => addressOf(first + index))
  if (addresses.some((address) => !local.check(address))) throw new NotARange(range, 'public')
  return addresses
}

function limitsOf(text: string): [first: number, last: number] | undefined {
  const [start = '', bits, ...rest] = text.split('/')
  if (bits !== undefined) {
    const prefix = /^\d{1,2}$/.test(bits) ? Number(bits) : NaN
    if (!isIPv4(start) || !(prefix <= 32) || rest.length > 0) return undefined
    const size = 2 ** (32 - prefix)
    const network = Math.floor(numberOfAddress(start) / size) * size
    return size > 2 ? [network + 1, network + size - 2] : [network, network + size - 1]
  }
  const [from = '', to = from, ...more] = text.split('-')
  const end = /^\d{1,3}$/.test(to) ? `${from.slice(0, from.lastIndexOf('.') + 1)}${to}` : to
  return isIPv4(from) && isIPv4(end) && more.length === 0
    ? [numberOfAddress(from), numberOfAddress(end)]
    : undefined
}
