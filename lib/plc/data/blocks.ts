import type { CellWord } from '../words'
import type { Slot } from './slots'

/** Registers or coils beside each other. */
export interface MapBlock {
  address: number
  count: number
  /** The PLC writes them. */
  writable: boolean
}

/** Who has an address: nobody's stand between others. */
type Owner = 'plc' | 'cell' | undefined

/** Registers that nobody has, between words of the cell and no more than `most`: the cell's too, always 0. */
export function reservedWords(slots: readonly Slot[], most: number): CellWord[] {
  return gapsIn(ownersIn(slots, 'registers'), most)
    .filter(({ before, after }) => before === 'cell' && after === 'cell')
    .flatMap(({ addresses }) =>
      // No result depends on them.
      addresses.map((address) => ({ area: 'registers', address, value: 0, group: 'life' })),
    )
}

/** Widest gap that a server shows as 0: a PLC reads the whole map in one request. */
const widestGap = 16

/** What a server has for a map. */
export const mapBlocks = (slots: readonly Slot[]): { registers: MapBlock[]; coils: MapBlock[] } => ({
  registers: blocksOf(ownersIn(slots, 'registers')),
  coils: blocksOf(ownersIn(slots, 'coils')),
})

function ownersIn(slots: readonly Slot[], wanted: 'registers' | 'coils'): Map<number, Owner> {
  const owners = new Map<number, Owner>()
  for (const { area, address, words, meaning } of slots) {
    const isThere = (area === 'coils' || area === 'discreteInputs') === (wanted === 'coils')
    if (!isThere || address === undefined) continue
    for (let offset = 0; offset < words; offset++) owners.set(address + offset, meaning.from)
  }
  return owners
}

function gapsIn(owners: ReadonlyMap<number, Owner>, most: number) {
  const known = [...owners.keys()].sort((one, other) => one - other)
  return known.flatMap((address, place) => {
    const next = known[place + 1] ?? address + 1
    const count = next - address - 1
    if (count === 0 || count > most) return []
    const addresses = Array.from({ length: count }, (_, offset) => address + 1 + offset)
    return [{ addresses, before: owners.get(address), after: owners.get(next) }]
  })
}

function blocksOf(owners: Map<number, Owner>): MapBlock[] {
  for (const { addresses, before, after } of gapsIn(owners, widestGap))
    for (const address of addresses)
      owners.set(address, before === 'plc' && after === 'plc' ? 'plc' : undefined)
  const blocks: MapBlock[] = []
  for (const address of [...owners.keys()].sort((one, other) => one - other)) {
    const writable = owners.get(address) === 'plc'
    const last = blocks.at(-1)
    if (last && last.writable === writable && last.address + last.count === address) last.count++
    else blocks.push({ address, count: 1, writable })
  }
  return blocks
}
