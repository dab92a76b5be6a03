/** Data blocks of an S7 controller with fixed addresses, as `node-red-contrib-s7` reads and writes them. */
import type { NamedVariable } from './named-memory'
import type { Family } from '../families'
import { labelOf } from '../data'
import { programError } from './language'

/** Where a variable is in data blocks without optimized access. */
interface S7Place {
  /** Number of the data block. */
  block: number
  /** From the beginning of the block. */
  bit: number
}

/** Bytes of one item, by the letters of an address as `node-red-contrib-s7` takes it. */
const bytesOf: Readonly<Partial<Record<string, number>>> = {
  ...{ X: 0, B: 1, BYTE: 1, C: 1, CHAR: 1, I: 2, INT: 2, W: 2, WORD: 2 },
  ...{ D: 4, DW: 4, DWORD: 4, DI: 4, DINT: 4, R: 4, REAL: 4, S: 1, STRING: 1 },
}

/** Whether a name of the map is an address: `DB1,INT16`. */
const isS7Address = (name: string): boolean => /^DB\d{1,5},/i.test(name)

/** @returns undefined where the address is none of a data block, or of a value of another size */
function s7Place({ name, bytes, type }: NamedVariable): S7Place | undefined {
  const found = /^DB(\d{1,5}),([A-Z]{1,6})(\d{1,5})(?:\.(\d{1,3}))?$/i.exec(name)
  if (!found) return undefined
  const [, block = '', letters = '', offset = '', further] = found
  const item = bytesOf[letters.toUpperCase()]
  const isText = /^S/i.test(letters)
  if (item === undefined || isText !== type.startsWith('STRING')) return undefined
  const isBit = item === 0
  if (isBit !== (type === 'BOOL') || (isBit && Number(further ?? 8) > 7)) return undefined
  const size = isText ? Number(further) + 2 : item * (isBit ? 1 : Number(further ?? 1))
  if (size !== bytes) return undefined
  return { block: Number(block), bit: 8 * Number(offset) + (isBit ? Number(further) : 0) }
}

/** The address to enter in the list of variables of `node-red-contrib-s7`. */
function s7Address({ type, bytes }: NamedVariable, { block, bit }: S7Place): string {
  const at = Math.floor(bit / 8)
  if (type === 'BOOL') return `DB${block},X${at}.${bit % 8}`
  if (type.startsWith('STRING')) return `DB${block},S${at}.${bytes - 2}`
  if (type.startsWith('ARRAY')) return `DB${block},BYTE${at}.${bytes}`
  return `DB${block},${letters[type] ?? type}${at}`
}

/** The package has no unsigned types of their own. */
const letters: Readonly<Partial<Record<string, string>>> = { UINT: 'WORD', UDINT: 'DWORD' }

/** A member of a data block: a variable, or what keeps the next one at its address. */
export interface S7Member {
  variable?: NamedVariable
  /** As the package takes it. */
  address?: string
  name: string
  type: string
}

/** A data block without optimized access, its members in the order of their addresses. */
export interface S7Block {
  number: number
  members: readonly S7Member[]
}

/**
 * Data blocks in which each variable stands at the address that is its name. Other names are those of the list of variables of
 * `node-red-contrib-s7`: they get the addresses of the family's words in DB1.
 * @throws PlcError `INVALID_INPUT` for addresses that no data block can have
 */
export function s7Layout(variables: readonly NamedVariable[], family: Family): S7Block[] {
  const isByAddress = variables.some(({ name }) => isS7Address(name))
  const placed = isByAddress
    ? variables.map((variable): Placed => [variable, s7Place(variable) ?? misplaced(variable)])
    : placedByFamily(variables, family)
  const numbers = [...new Set(placed.map(([, { block }]) => block))].sort((one, other) => one - other)
  return numbers.map((number) => ({
    number,
    members: membersOf(
      placed.filter(([, { block }]) => block === number).sort(([, one], [, other]) => one.bit - other.bit),
    ),
  }))
}

type Placed = [variable: NamedVariable, place: S7Place]

/** The word n of a family is byte 2n; what the family does not have stands behind. */
function placedByFamily(variables: readonly NamedVariable[], { map }: Family): Placed[] {
  const placed: Placed[] = []
  let end = Math.max(...map.map(({ address, type }) => address + (wide.has(type) ? 2 : 1)))
  const taken = new Set<number>()
  for (const variable of variables) {
    const label = labelOf(variable.fields[0].slot)
    const line = map.find((each) => labelOf(each) === label)
    const words = Math.ceil(Math.max(variable.bytes, 1) / 2)
    const wished = line?.address ?? end
    const isFree = line !== undefined && words <= (wide.has(line.type) ? 2 : 1) && !taken.has(wished)
    const word = isFree ? wished : end
    if (!isFree) end += words
    taken.add(word)
    placed.push([variable, { block: 1, bit: 16 * word }])
  }
  return placed
}

const wide: ReadonlySet<string> = new Set(['DINT', 'UDINT', 'REAL'])

function membersOf(placed: readonly Placed[]): S7Member[] {
  const members: S7Member[] = []
  let at = 0
  for (const [variable, place] of placed) {
    const { type, bytes } = variable
    const isBit = type === 'BOOL'
    if (place.bit < at || (!isBit && place.bit % 16 !== 0)) misplaced(variable)
    members.push(...gap(at, place.bit, isBit))
    members.push({ variable, address: s7Address(variable, place), name: variable.name, type })
    // Texts and fields of bytes end at a word.
    at = isBit ? place.bit + 1 : place.bit + 16 * Math.ceil(bytes / 2)
  }
  return members
}

/** What fills the space up to the next variable, as far as the controller leaves none by itself. */
function gap(from: number, to: number, isBit: boolean): S7Member[] {
  const natural = isBit ? from : 16 * Math.ceil(from / 16)
  if (natural === to) return []
  const members: S7Member[] = []
  const fill = (type: string, name: string) => members.push({ name: `reserved${name}`, type })
  let byte = Math.ceil(from / 8)
  const last = Math.floor(to / 8)
  if (byte > last) {
    for (let bit = from; bit < to; bit++) fill('BOOL', `${Math.floor(bit / 8)}_${bit % 8}`)
    return members
  }
  if (byte % 2 === 1 && byte < last) fill('BYTE', String(byte++))
  const even = (last - byte) & ~1
  if (even > 0) fill(`ARRAY[0..${even - 1}] OF BYTE`, String(byte))
  byte += even
  if (byte < last) fill('BYTE', String(byte))
  for (let bit = last * 8; bit < to; bit++) fill('BOOL', `${last}_${bit % 8}`)
  return members
}

function misplaced({ name, type }: NamedVariable): never {
  throw programError({ code: 'INVALID_INPUT', key: 'program-s7-address', values: { name, type } })
}
