/** The values of a register map as variables of the PLC, and the statements that copy them to and from arrays of registers. */
import { openMap, labelOf, type PlcMap, type Slot, type WordOrder } from '../data'
import { formatOf, type NumberType, isNumberType, numberTypes } from '../data/map'
import { Names, type Dialect, programText } from './language'
import { swapsBytes } from '../data/values'

/** A value of the map as a variable of the PLC. */
export interface ProgramField {
  slot: Slot
  /** Its name in the structure. */
  name: string
  /** Its type there. */
  type: string
}

/** A value of the map in registers; texts and bytes are words. */
interface RegisterField extends ProgramField {
  /** Its first word in the block of its side. */
  word: number
}

/** The words of one side: registers beside each other. */
interface ProgramBlock {
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
function blocksOf(map: PlcMap): ProgramBlocks {
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

/** Unique names that every controller accepts. */
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

/** The values of a map in the PLC's memory, and the statements that copy them to and from the structures of the block. */
export interface ProgramMemory {
  toCell: readonly ProgramField[]
  fromCell: readonly ProgramField[]
  /** Comments above the program. */
  notes: readonly string[]
  /** What is declared beside structures and block. */
  declarations: readonly string[]
  /** Whether the PLC knows that the exchange works; it has no means for that where others read and write its memory. */
  knowsLink: boolean
  /** Parameters of the block. */
  parameters: readonly string[]
  /** Variables of the block. */
  variables: readonly string[]
  read: readonly string[]
  write: readonly string[]
}

/** Statements that copy the words of a block into its structure. */
function readLines({ fields }: ProgramBlock, order: WordOrder, dialect: Dialect): string[] {
  const { local } = dialect
  return fields.flatMap(({ name, slot, word }) => {
    const to = `${local('received')}.${name}`
    const at = (offset: number) => `${local('fromCell')}[${word + offset}]`
    if (slot.type === 'bit') return [`${to} := (${at(0)} AND ${mask(slot.bit)}) <> WORD#16#0000;`]
    if (!isNumberType(slot.type)) return copies(slot.words, (offset) => `${to}[${offset}] := ${at(offset)};`)
    if (numberTypes[slot.type].words === 1) return [`${to} := WORD_TO_${slot.type}(${at(0)});`]
    const [high, low] = halves(slot.order ?? order, at)
    const joined = `SHL(IN := WORD_TO_DWORD(${high}), N := 16) OR WORD_TO_DWORD(${low})`
    return [`${local('joined')} := ${joined};`, ...dialect.fromDouble(to, slot.type)]
  })
}

/** Statements that copy a structure into the words of its block. */
function writeLines({ fields, count }: ProgramBlock, order: WordOrder, dialect: Dialect): string[] {
  const { local } = dialect
  const bitWords = new Set(fields.filter(({ slot }) => slot.type === 'bit').map(({ word }) => word))
  const at = (word: number) => `${local('toCell')}[${word}]`
  const cleared = Array.from({ length: count }, (_, word) => word).filter((word) => bitWords.has(word))
  return [
    ...cleared.map((word) => `${at(word)} := WORD#16#0000;`),
    ...fields.flatMap((field) => fieldLines(field, at, order, dialect)),
  ]
}

function fieldLines(
  { name, slot, word }: RegisterField,
  at: (word: number) => string,
  common: WordOrder,
  dialect: Dialect,
): string[] {
  const order = slot.order ?? common
  const from = `${dialect.local('sent')}.${name}`
  if (slot.type === 'bit') return [`IF ${from} THEN ${at(word)} := ${at(word)} OR ${mask(slot.bit)}; END_IF;`]
  if (!isNumberType(slot.type))
    return copies(slot.words, (offset) => `${at(word + offset)} := ${from}[${offset}];`)
  if (numberTypes[slot.type].words === 1) return [`${at(word)} := ${slot.type}_TO_WORD(${from});`]
  const double = dialect.local('joined')
  const high = `DWORD_TO_WORD(SHR(IN := ${double}, N := 16))`
  const low = `DWORD_TO_WORD(${double} AND DWORD#16#0000FFFF)`
  const [first, second] = order === 'ABCD' || order === 'BADC' ? [high, low] : [low, high]
  const swap = (value: string) => (swapsBytes(order) ? `ROL(IN := ${value}, N := 8)` : value)
  return [
    ...dialect.toDouble(from, slot.type),
    `${at(word)} := ${swap(first)};`,
    `${at(word + 1)} := ${swap(second)};`,
  ]
}

/** The higher and the lower half of 32 bit. */
function halves(order: WordOrder, at: (offset: number) => string): [string, string] {
  const word = (offset: number) => (swapsBytes(order) ? `ROL(IN := ${at(offset)}, N := 8)` : at(offset))
  return order === 'ABCD' || order === 'BADC' ? [word(0), word(1)] : [word(1), word(0)]
}

/** The bit in a word. */
export const mask = (bit = 0) => `WORD#16#${(1 << bit).toString(16).toUpperCase().padStart(4, '0')}`

const copies = (count: number, line: (offset: number) => string) =>
  Array.from({ length: count }, (_, offset) => line(offset))

/** The words of both sides as arrays, which Modbus blocks of the controller read and write. */
export function registerMemory(map: PlcMap, dialect: Dialect, language?: string): ProgramMemory {
  const { toCell, fromCell } = blocksOf(map)
  const order = map.order ?? 'ABCD'
  const shown = ({ count, address }: typeof toCell) => ({ count, address, shown: 40_001 + address })
  return {
    toCell: toCell.fields,
    fromCell: fromCell.fields,
    notes: [
      programText('program-words-from', shown(fromCell), language),
      programText('program-words-to', shown(toCell), language),
      programText('program-order', { order }, language),
    ],
    declarations: dialect.types,
    knowsLink: true,
    parameters: [
      `fromCell : ARRAY[0..${fromCell.count - 1}] OF WORD;`,
      `toCell : ARRAY[0..${toCell.count - 1}] OF WORD;`,
    ],
    variables: dialect.doubles,
    read: readLines(fromCell, order, dialect),
    write: writeLines(toCell, order, dialect),
  }
}
