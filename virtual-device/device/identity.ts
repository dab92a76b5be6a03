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
  /** 0 is any free port. */
  port: number
}

/** Addresses that count as the same device, whether the network may reach it or not. */
const usual: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '::'])

/** The identity of a device; the same for the same serial number. */
export function identity(model: string, serial: string): Identity {
  const digits = digitsFrom(hashed(serial))
  // The second bit of the first byte marks a locally administered address.
  const mac = ['02', ...Array.from({ length: 5 }, () => digits(2, 16))].join(':')
  return { model, serial, hostname: `${model}-${serial}`, mac, dongle: `${digits(1, 10)}-${digits(7, 10)}` }
}

/**
 * A serial number: differs between the ports of a machine, and is the same at each start. If any free port is used, it
 * depends on the seed only.
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

/** 32-bit hash of a text (FNV-1a). */
const hashed = (text: string) =>
  Buffer.from(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5)
