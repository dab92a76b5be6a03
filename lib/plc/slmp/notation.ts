/** Addresses of a register map as the engineering tool of a MELSEC PLC writes them, and the devices that a map can use. */
import { isBitArea, type MapArea, type Notation } from '../data/map'
import type { PlcType } from '../rows'
import { deviceAt, isSlmpDevice, slmpAddress, slmpAddressText, slmpDevices, type SlmpStart } from './devices'

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
