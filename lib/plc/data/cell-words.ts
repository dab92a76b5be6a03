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

/** A register or coil, and the values that share it: by their place among the slots, and by how many words into them. */
interface PlannedWord {
  area: SharedArea
  address: number
  group: RowGroup
  parts: { slot: number; offset: number }[]
}

/** The registers and coils that slots stand in: the same for all their values. */
export function planWords(slots: readonly Slot[]): PlannedWord[] {
  const plan = new Map<string, PlannedWord>()
  for (const [place, { area: given, address: first = 0, words, meaning }] of slots.entries()) {
    const area: SharedArea = given === 'coils' ? 'coils' : 'registers'
    for (let offset = 0; offset < words; offset++) {
      const [address, part] = [first + offset, { slot: place, offset }]
      const key = `${area} ${address}`
      const before = plan.get(key)
      if (before) {
        before.parts.push(part)
        before.group = later(before.group, meaning.group)
      } else plan.set(key, { area, address, group: meaning.group, parts: [part] })
    }
  }
  return [...plan.values()]
}

/** The words and coils that values stand in. @param plan of the slots in this order */
export function cellWords(
  values: readonly (readonly [Slot, PlcValue])[],
  orders: Orders,
  plan = planWords(values.map(([slot]) => slot)),
): CellWord[] {
  const items = values.map(([slot, value]) => itemsOf(slot, value, orders))
  return plan.map(({ area, address, group, parts }) => {
    let value = 0
    for (const { slot, offset } of parts) value |= items[slot]?.[offset] ?? 0
    return { area, address, value, group }
  })
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
