import type { Variant } from '../../lib/contract'
import { seededRandom } from '../random'

export interface Identity {
  model: string
  serial: string
  /** `<model>-<serial>` */
  hostname: string
  mac: string
  dongle: string
}

const models: Readonly<Record<Variant, string>> = { single: 'vision-single', multi: 'vision-multi' }

/** Who a device is; the same for the same seed. */
export function identity(variant: Variant, seed: number): Identity {
  const random = seededRandom(seed)
  const digits = (count: number, base: number) =>
    Array.from({ length: count }, () => Math.floor(random() * base).toString(base)).join('')
  const serial = `0${digits(9, 10)}`
  const model = models[variant]
  // The second bit of the first byte marks an address that no maker owns.
  const mac = ['02', ...Array.from({ length: 5 }, () => digits(2, 16))].join(':')
  return { model, serial, hostname: `${model}-${serial}`, mac, dongle: `${digits(1, 10)}-${digits(7, 10)}` }
}
