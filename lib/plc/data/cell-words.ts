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
  const words: CellWord[] = []
  const places: Record<SharedArea, Map<number, CellWord>> = { registers: new Map(), coils: new Map() }
  for (const [slot, given] of values) {
    const area: SharedArea = slot.area === 'coils' ? 'coils' : 'registers'
    const { group } = slot.meaning
    let address = slot.address ?? 0
    for (const value of itemsOf(slot, given, orders)) {
      const before = places[area].get(address)
      if (before) {
        before.value |= value
        before.group = later(before.group, group)
      } else {
        const word: CellWord = { area, address, value, group }
        places[area].set(address, word)
        words.push(word)
      }
      address++
    }
  }
  return words
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
