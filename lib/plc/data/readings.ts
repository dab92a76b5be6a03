import type { PlcSays, RowName } from '../rows'
import { isNumberType } from './fit'
import type { WordOrder } from './map'
import { numberOfRegisters } from './registers'
import type { Slot } from './slots'
import type { PlcValue } from './typed-value'

/** The value of a slot as it was read; undefined where it was not, or is none. */
export type SlotReader = (slot: Slot) => boolean | number | undefined

/** What the PLC says: the rows that could be read. */
export function plcSays(slots: readonly Slot[], read: SlotReader): PlcSays {
  const says: Record<string, unknown> = {}
  const parts: (number | undefined)[] = []
  for (const slot of slots) {
    const value = read(slot)
    if (slot.row === 'argument') parts[slot.index - 1] = typeof value === 'number' ? value : undefined
    else if (value !== undefined) says[slot.row] = value
  }
  if (parts.length) says.argument = Array.from(parts, (part) => part ?? 0)
  return says
}

/** The values of the PLC's slots, as they stand in its memory. */
export const plcValues = (slots: readonly Slot[], says: PlcSays): (readonly [Slot, PlcValue])[] =>
  slots.map((slot) => {
    const given = (says as Readonly<Partial<Record<RowName, unknown>>>)[slot.row]
    const value: unknown = Array.isArray(given) ? given[slot.index - 1] : given
    if (slot.type === 'bit') return [slot, value === true] as const
    const number = Number(value ?? 0) * slot.factor
    return [slot, slot.type === 'REAL' ? number : Math.round(number)] as const
  })

/** Reads slots from registers and coils. */
export const fromWords =
  (valueAt: (area: Slot['area'], address: number) => number | undefined, order: WordOrder): SlotReader =>
  (slot) => {
    const words: number[] = []
    for (let offset = 0; offset < slot.words; offset++) {
      const word = valueAt(slot.area, (slot.address ?? 0) + offset)
      if (word === undefined) return undefined
      words.push(word)
    }
    if (slot.type === 'bit') return bitOf(slot, words[0])
    return isNumberType(slot.type)
      ? scaled(slot, numberOfRegisters(words, slot.type, slot.order ?? order))
      : undefined
  }

/** Reads slots from variables by their names. */
export const fromNames =
  (valueOf: (name: string) => unknown): SlotReader =>
  (slot) => {
    const value = valueOf(slot.name ?? '')
    if (slot.type === 'bit') return typeof value === 'boolean' ? value : bitOf(slot, value)
    return typeof value === 'number' && isNumberType(slot.type) ? scaled(slot, value) : undefined
  }

function bitOf({ bit = 0 }: Slot, word: unknown): boolean | undefined {
  return typeof word === 'number' && Number.isInteger(word) ? ((word >> bit) & 1) === 1 : undefined
}

/** A number that no PLC can mean asks for nothing. */
const scaled = ({ factor }: Slot, value: number): number | undefined =>
  Number.isFinite(value) ? value / factor : undefined
