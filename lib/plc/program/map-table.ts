import { labelOf, openMap, type PlcMap, type Slot } from '../data'
import { formatOf } from '../data/map'
import { rowText } from '../rows'
import { programText } from './program-texts'

/** A line of the printed map; texts in the language that was asked for. */
export interface MapTableRow {
  from: string
  row: string
  /** Registers or coils, from 0; or the name, where the protocol has names. */
  register: string
  /** The same as tools show it that count from 1: 40001 is register 0. */
  shown: string
  bit: string
  type: string
  unit: string
  meaning: string
}

export const mapColumns = ['from', 'row', 'register', 'shown', 'bit', 'type', 'unit', 'meaning'] as const

/** The map, line by line in the order of its addresses. @throws PlcError `INVALID_INPUT` for a map with faults */
export function mapTable(map: PlcMap, language?: string): MapTableRow[] {
  const slots = [...openMap(map).slots].sort((one, other) =>
    // Names stay in the order of their lines.
    one.address === undefined || other.address === undefined
      ? 0
      : one.address - other.address || (one.bit ?? 0) - (other.bit ?? 0),
  )
  return slots.map((slot) => {
    const first = slot.address ?? 0
    const last = first + slot.words - 1
    const span = (from: number) =>
      slot.words === 1 ? String(first + from) : `${first + from}–${last + from}`
    const isNamed = slot.address === undefined
    return {
      from: programText(`from-${slot.meaning.from}`, {}, language),
      row: labelOf(slot),
      register: isNamed ? (slot.name ?? '') : span(0),
      shown: isNamed ? '' : span(firstShown[slot.area]),
      bit: slot.bit === undefined ? '' : String(slot.bit),
      type: typeText(slot),
      unit: unitText(slot),
      meaning: meaningOf(slot, map, language),
    }
  })
}

/** The meaning in a word or two, without what it means in detail. */
export const shortMeaningOf = (slot: Slot, map: PlcMap, language?: string): string =>
  slot.row === 'property' ? labelOf(slot) : meaningOf(slot, map, language).replace(/;[^,]*/, '')

/** What tools call the first item of each memory. */
const firstShown = { coils: 1, discreteInputs: 10_001, inputRegisters: 30_001, registers: 40_001 } as const

/** With its length, and with an order that is not that of the map. */
const typeText = ({ type, length, order }: Slot): string =>
  `${type}${length > 0 && type !== 'bit' ? `[${length}]` : ''}${order === undefined ? '' : ` ${order}`}`

function unitText({ unit, factor, quantity }: Slot): string {
  if (unit !== undefined) return unit
  return quantity === 'number' && factor !== 1 ? `× ${factor}` : ''
}

/** The meaning as it is printed. */
export function meaningOf(slot: Slot, map: PlcMap, language?: string): string {
  const text = rowText(slot.row, language)
  if (!slot.meaning.components) return slot.meaning.indexed ? `${text} ${slot.index}` : text
  return `${text} ${slot.index}, ${formatOf(map).numbers[slot.component - 1]?.name ?? slot.component}`
}
