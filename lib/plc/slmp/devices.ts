/** Devices of a MELSEC PLC, as its engineering tool writes them (`D100`, `D100.A`, `W1F`, `M20`, `X1A`), and those that a map can use. */
import { isBitArea, type MapArea, type Notation } from '../data/map'
import type { PlcType } from '../rows'

/** Code in a frame, base of the numbers in the engineering tool, and whether an item is a word or a bit. */
export const slmpDevices = {
  D: { code: 0xa8, base: 10, item: 'word' },
  W: { code: 0xb4, base: 16, item: 'word' },
  R: { code: 0xaf, base: 10, item: 'word' },
  ZR: { code: 0xb0, base: 10, item: 'word' },
  M: { code: 0x90, base: 10, item: 'bit' },
  B: { code: 0xa0, base: 16, item: 'bit' },
  // Octal in the engineering tool of the FX series: X20 there is X10 here.
  X: { code: 0x9c, base: 16, item: 'bit' },
  Y: { code: 0x9d, base: 16, item: 'bit' },
} as const satisfies Record<string, { code: number; base: 10 | 16; item: 'word' | 'bit' }>

export type SlmpDevice = keyof typeof slmpDevices

/** Largest number that a frame carries. */
export const largestNumber = 0xff_ffff

/** One device, or one bit of a word device. */
export interface SlmpAddress {
  device: SlmpDevice
  /** From 0, whatever base the engineering tool writes it in. */
  number: number
  /** 0 to 15, of a word device. */
  bit?: number
}

/** At most 7 digits: more would leave the frame's 24 bit. */
const notation = /^(ZR|[DWRMBXY])([0-9A-F]{1,7})(?:\.([0-9A-F]))?$/

/** @returns undefined where the text is not an address, such as `D1F`, `M3.2` or `T0` */
export function slmpAddress(text: string): SlmpAddress | undefined {
  const [, device, digits = '', bit] = notation.exec(text.trim().toUpperCase()) ?? []
  if (!isSlmpDevice(device)) return undefined
  const { base, item } = slmpDevices[device]
  if (base === 10 && /[A-F]/.test(digits)) return undefined
  const number = Number.parseInt(digits, base)
  if (number > largestNumber || (bit !== undefined && item === 'bit')) return undefined
  return { device, number, ...(bit !== undefined && { bit: Number.parseInt(bit, 16) }) }
}

export const isSlmpDevice = (name: string | undefined): name is SlmpDevice =>
  name !== undefined && Object.hasOwn(slmpDevices, name)

export function slmpAddressText({ device, number, bit }: SlmpAddress): string {
  const digits = number.toString(slmpDevices[device].base).toUpperCase()
  return `${device}${digits}${bit === undefined ? '' : `.${bit.toString(16).toUpperCase()}`}`
}

const byCode = new Map<number, SlmpDevice>(
  Object.entries(slmpDevices).map(([device, { code }]) => [code, device as SlmpDevice]),
)

export const slmpDeviceOf = (code: number): SlmpDevice | undefined => byCode.get(code)

/** Where `registers` begin, in a word device. */
export interface SlmpStart {
  device: SlmpDevice
  number: number
}

export const firstD: SlmpStart = { device: 'D', number: 0 }

/**
 * The device of an item of a map: `registers` count from the start, `words W` and `bits M` from 0, and coils are M.
 * @throws RangeError for an area that no MELSEC PLC has
 */
export function deviceAt(
  { area, address }: { area: MapArea; address: number },
  start: SlmpStart = firstD,
): SlmpAddress {
  if (area === 'registers' || area === 'inputRegisters')
    return { device: start.device, number: start.number + address }
  const device = area === 'coils' || area === 'discreteInputs' ? 'M' : area.slice(area.indexOf(' ') + 1)
  if (!isSlmpDevice(device) || isBitArea(area) !== (slmpDevices[device].item === 'bit'))
    throw new RangeError(`no device ${area}`)
  return { device, number: address }
}

/** @param start where the registers of the map begin */
export function slmpNotation(start: SlmpStart): Notation {
  const first = slmpAddressText(start)
  return {
    examples: `${first}, ${first}.3, W1F, ZR0, M20`,
    hasTextHeader: false,
    has: (area) => area === 'registers' || isDeviceArea(area),
    // Inputs are overwritten from their terminals in each scan.
    isWritable: (area) => area !== 'bits X',
    read: (text, type) => {
      const found = slmpAddress(text)
      if (!found) return undefined
      const { device, number, bit } = found
      const isBits = slmpDevices[device].item === 'bit'
      // A bit has its number in a word, a word has none, and a bit device has bits alone.
      if (isBits ? type !== 'bit' : (bit === undefined) === (type === 'bit')) return undefined
      const offset = number - start.number
      if (device !== start.device || offset + wordsOf(type) <= 0)
        return {
          area: `${isBits ? 'bits' : 'words'} ${device}`,
          address: number,
          ...(bit !== undefined && { bit }),
        }
      return offset < 0
        ? undefined
        : { area: 'registers', address: offset, ...(bit !== undefined && { bit }) }
    },
    write: ({ area, address = 0, bit }) =>
      slmpAddressText({ ...deviceAt({ area, address }, start), ...(bit !== undefined && { bit }) }),
  }
}

/** Of a number: one that begins before the registers must not end in them. */
const wordsOf = (type: PlcType): number => (type === 'REAL' || type === 'DINT' || type === 'UDINT' ? 2 : 1)

function isDeviceArea(area: MapArea): boolean {
  const device = /^(?:words|bits) (\w+)$/.exec(area)?.[1]
  return isSlmpDevice(device) && isBitArea(area) === (slmpDevices[device].item === 'bit')
}
