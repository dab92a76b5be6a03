import { BlockList, isIP } from 'node:net'

/** Dual-stack sockets report IPv4 as IPv6; a zone depends on the interface, not on the host. */
export const plainAddress = (address: string): string =>
  address
    .replace(/^::ffff:(?=[\d.]+$)/i, '')
    .replace(/%.*/, '')
    .toLowerCase()

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Neither an address nor a network. */
export class NotAHost extends RangeError {
  override readonly name = 'NotAHost'

  constructor(readonly entry: string) {
    super(`${entry}: neither an IP address nor a network`)
  }
}

/** @param allow addresses such as `192.168.0.10`, or networks such as `192.168.0.0/24` @throws NotAHost */
export function allowedHosts(allow: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of allow) {
    const [address = '', bits, ...more] = entry.trim().split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (isIP(address) === 0 || !(prefix <= most) || more.length > 0) throw new NotAHost(entry)
    list.addSubnet(address, prefix, family(address))
  }
  return (address) => {
    const plain = plainAddress(address)
    return isIP(plain) > 0 && list.check(plain, family(plain))
  }
}
