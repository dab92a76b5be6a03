import type { Family } from '../families'
import { labelOf } from '../data'
import type { NamedVariable } from './named-variables'
import { programError } from './program-texts'
import { isS7Address, s7Address, s7Place, type S7Place } from './s7-address'

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
