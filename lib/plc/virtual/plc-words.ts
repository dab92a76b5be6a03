import { cellWords } from '../data/cell-words'
import type { WordOrder } from '../data/map'
import type { OpenMap } from '../data'
import { fromWords } from '../data/readings'
import type { PlcSays, RowName } from '../rows'
import type { CellWord, SharedArea } from '../words'

/** What the PLC reads of the cell: bits and numbers by their rows; of a pose the numbers in the order of the map. */
export type CellRead = Readonly<Partial<Record<RowName, boolean | number | readonly number[]>>>

/** The words of the PLC's own rows. */
export function plcWords({ slots }: OpenMap, order: WordOrder, says: PlcSays): CellWord[] {
  const values = slots
    .filter(({ meaning }) => meaning.from === 'plc')
    .map((slot) => {
      const given = (says as Readonly<Partial<Record<RowName, unknown>>>)[slot.row]
      const value: unknown = Array.isArray(given) ? given[slot.index - 1] : given
      return [slot, slot.type === 'bit' ? value === true : Number(value ?? 0)] as const
    })
  return cellWords(values, { order, textOrder: 'first-high' })
}

/** A REAL has about 7 digits. */
const tidy = (value: number) => Number(value.toPrecision(7))

/** What the cell's words say; poses in the units of the map, as a PLC has them. */
export function cellRead(
  { slots }: OpenMap,
  order: WordOrder,
  valueAt: (area: SharedArea, address: number) => number | undefined,
): CellRead {
  const read = fromWords((area, address) => valueAt(area === 'coils' ? area : 'registers', address), order)
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
