import { seededRandom } from '../random'

export interface Identity {
  model: string
  serial: string
  /** `<model>-<serial>` */
  hostname: string
  mac: string
  dongle: string
}

interface IdentityOptions {
  seed: number
  /** Address to listen on. */
  host: string
  /** 0 is any free one. */
  port: number
}

/** Addresses of one and the same device, whether the network may reach it or not. */
const usual: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '::'])

/** Who a device is; the same for the same serial number. */
export function identity(model: string, serial: string): Identity {
  const digits = digitsFrom(hashed(serial))
  // The second bit of the first byte marks an address that no maker owns.
  const mac = ['02', ...Array.from({ length: 5 }, () => digits(2, 16))].join(':')
  return { model, serial, hostname: `${model}-${serial}`, mac, dongle: `${digits(1, 10)}-${digits(7, 10)}` }
}

/**
 * A serial number: at a port of its own another one than the devices beside it have, and the same one at each start.
 * Where the port is any free one, it follows from the seed alone.
 */
export function serialNumber({ seed, host, port }: IdentityOptions): string {
  const place = port === 0 ? 0 : hashed(usual.has(host) ? `${port}` : `${host} ${port}`)
  return `0${digitsFrom(seed + place)(9, 10)}`
}

const digitsFrom = (seed: number) => {
  const random = seededRandom(seed)
  return (count: number, base: number) =>
    Array.from({ length: count }, () => Math.floor(random() * base).toString(base)).join('')
}

/** 32 bits of a text (FNV-1a). */
const hashed = (text: string) =>
  Buffer.from(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5)
