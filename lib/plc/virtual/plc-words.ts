import type { WordOrder } from '../data/map'
import type { OpenMap } from '../data'
import { fromWords } from '../data/open-map'
import { isBitArea } from '../modbus/frames'
import type { PlcSays, RowName } from '../rows'
import type { CellWord } from '../words'
import type { ValueAt } from './plc-memory'

/** What the PLC reads of the cell: bits and numbers by their rows; of a pose the numbers in the order of the map. */
export type CellRead = Readonly<Partial<Record<RowName, boolean | number | readonly number[]>>>

/** Rows that ask for something: what belongs to it is to stand by then. */
const asking: ReadonlySet<RowName> = new Set(['trigger', 'sequence', 'command'])

/** The words of the PLC's own rows, in the order in which they are to be written. */
export function plcWords({ slots, plcWords: words }: OpenMap, says: PlcSays): CellWord[] {
  const asks = ({ area, address }: CellWord) =>
    slots.some(
      (slot) =>
        asking.has(slot.row) &&
        isBitArea(slot.area) === (area === 'coils') &&
        isWithin(address, slot.address ?? 0, slot.words),
    )
  return words(says).sort((one, other) => Number(asks(one)) - Number(asks(other)))
}

const isWithin = (address: number, first: number, count: number) =>
  address >= first && address < first + count

/** A REAL has about 7 digits. */
const tidy = (value: number) => Number(value.toPrecision(7))

/** What the cell's words say; poses in the units of the map, as a PLC has them. */
export function cellRead({ slots }: OpenMap, order: WordOrder, valueAt: ValueAt): CellRead {
  const read = fromWords(valueAt, order)
  const found: Partial<Record<RowName, boolean | number | number[]>> = {}
  for (const slot of slots) {
    const value = slot.meaning.from === 'cell' ? read(slot) : undefined
    if (value === undefined) continue
    const before = found[slot.row]
    if (slot.row !== 'pose') found[slot.row] = value
    else found.pose = [...(Array.isArray(before) ? before : []), tidy(Number(value) * slot.factor)]
  }
  return found
}
