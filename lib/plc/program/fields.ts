import { openMap, labelOf, type PlcMap, type Slot } from '../data'
import { formatOf, type NumberType } from '../data/map'
import { Names } from './identifiers'

/** A value of the map as a variable of the PLC. */
export interface ProgramField {
  slot: Slot
  /** Its name in the structure. */
  name: string
  /** Its type there. */
  type: string
}

/** A value of the map in registers; texts and bytes are words. */
export interface RegisterField extends ProgramField {
  /** Its first word in the block of its side. */
  word: number
}

/** The words of one side: registers beside each other. */
export interface ProgramBlock {
  /** Its first register. */
  address: number
  /** Registers. */
  count: number
  fields: readonly RegisterField[]
}

/** The registers of both sides. Coils and inputs are left out: a block of registers has none. */
interface ProgramBlocks {
  toCell: ProgramBlock
  fromCell: ProgramBlock
}

/** @throws PlcError `INVALID_INPUT` for a map with faults */
export function blocksOf(map: PlcMap): ProgramBlocks {
  const slots = openMap(map).slots.filter(({ area }) => area === 'registers')
  const names = namesOf(slots, map)
  const block = (from: 'plc' | 'cell'): ProgramBlock => {
    const own = slots.filter(({ meaning }) => meaning.from === from)
    const address = own.length ? Math.min(...own.map((slot) => slot.address ?? 0)) : 0
    const end = own.length ? Math.max(...own.map((slot) => (slot.address ?? 0) + slot.words)) : 0
    const fields = own.map((slot) => ({
      slot,
      name: names.get(slot) ?? slot.row,
      type: typeOf(slot),
      word: (slot.address ?? 0) - address,
    }))
    return { address, count: end - address, fields: fields.sort(byPlace) }
  }
  return { toCell: block('plc'), fromCell: block('cell') }
}

const typeOf = ({ type, words }: Slot): string => {
  if (type === 'bit') return 'BOOL'
  return type === 'STRING' || type === 'bytes'
    ? `ARRAY[0..${words - 1}] OF WORD`
    : (type satisfies NumberType)
}

const byPlace = (one: RegisterField, other: RegisterField) =>
  one.word - other.word || (one.slot.bit ?? 0) - (other.slot.bit ?? 0)

/** Names that every controller takes, each once. */
export function namesOf(slots: readonly Slot[], map: PlcMap): Map<Slot, string> {
  const names = new Names()
  return new Map(slots.map((slot) => [slot, names.next(nameOf(slot, map))]))
}

function nameOf(slot: Slot, map: PlcMap): string {
  const number = formatOf(map).numbers[slot.component - 1]?.name ?? slot.component
  if (slot.meaning.components) return `${slot.row}${slot.index}_${number}`
  if (slot.meaning.indexed) return `${slot.row}${slot.index}`
  if (!slot.meaning.path) return slot.row
  const plain = labelOf(slot)
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]/g, ' ')
    .trim()
    .split(' ')
    .filter(Boolean)
    .join('_')
  return `value_${plain.slice(0, 24)}`
}
