import type { MapLine } from '../../lib/plc/data/map'

/** `12`, or `12.3` for bit 3 of a register. */
export const addressText = ({ address, bit }: MapLine): string =>
  address === undefined ? '' : bit === undefined ? String(address) : `${String(address)}.${String(bit)}`

/** @returns undefined where the text is no address */
export function addressIn(text: string, isBit: boolean): Pick<MapLine, 'address' | 'bit'> | undefined {
  const found = /^\s*(\d{1,5})(?:\.(\d{1,2}))?\s*$/.exec(text)
  if (!found || (found[2] !== undefined && !isBit)) return undefined
  return { address: Number(found[1]), ...(isBit && { bit: Number(found[2] ?? 0) }) }
}
