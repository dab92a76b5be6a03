import { writingOrder, type RowGroup } from '../rows'
import type { CellWord, SharedArea } from '../words'
import { isNumberType } from './fit'
import type { TextOrder, WordOrder } from './map'
import { registersOf, registersOfBytes, swapsBytes } from './registers'
import type { Slot } from './slots'
import type { PlcValue } from './typed-value'

interface Orders {
  order: WordOrder
  textOrder: TextOrder
}

/** The words and coils that values stand in. */
export function cellWords(values: readonly (readonly [Slot, PlcValue])[], orders: Orders): CellWord[] {
  const words = new Map<string, CellWord>()
  for (const [slot, value] of values) {
    const area: SharedArea = slot.area === 'coils' ? 'coils' : 'registers'
    itemsOf(slot, value, orders).forEach((item, offset) => {
      const address = (slot.address ?? 0) + offset
      const key = `${area} ${address}`
      const before = words.get(key)
      const { group } = slot.meaning
      words.set(key, {
        area,
        address,
        value: (before?.value ?? 0) | item,
        group: before ? later(before.group, group) : group,
      })
    })
  }
  return [...words.values()]
}

function itemsOf(
  { type, area, bit = 0, words, order: own }: Slot,
  value: PlcValue,
  { order, textOrder }: Orders,
): number[] {
  if (type === 'bit') return [value === true ? (area === 'coils' ? 1 : 1 << bit) : 0]
  if (isNumberType(type)) return registersOf(Number(value), type, own ?? order)
  const bytes = typeof value === 'string' ? Buffer.from(value, 'latin1') : (value as Uint8Array)
  const ownText = own && (swapsBytes(own) ? 'first-low' : 'first-high')
  return registersOfBytes(bytes, words, ownText ?? textOrder)
}

/** A word of bits is written with the last of them; a life signal changes no other bit's time. */
export function later(one: RowGroup, other: RowGroup): RowGroup {
  if (one === 'life') return other
  if (other === 'life') return one
  const ranks: readonly RowGroup[] = writingOrder
  return ranks.indexOf(one) > ranks.indexOf(other) ? one : other
}
