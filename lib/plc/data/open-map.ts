/** A checked map at work: what is read and written for it, and how. */
import type { PlcError } from '../plc-error'
import {
  type CellData,
  type CellOutputs,
  type CellWord,
  isDataRow,
  type PlcInputs,
  type PlcType,
  type RowGroup,
  type RowName,
  type SharedArea,
  writingOrder,
} from '../rows'
import { checkMap, mapFaultError, valueFaultError } from './check-map'
import {
  formatOf,
  isBitArea,
  isShared,
  type MapArea,
  type PlcMap,
  isNumberType,
  type Slot,
  slotsOf,
  type TextOrder,
  type WordOrder,
} from './map'
import {
  emptyOf,
  numberOfRegisters,
  type PlcValue,
  rawValue,
  registersOf,
  registersOfBytes,
  swapsBytes,
  typedValue,
  type ValueFault,
} from './values'

/** A value of the map in a preview. */
export interface ShownValue {
  slot: Slot
  value: PlcValue
  /** Its registers or coils. */
  words: readonly number[]
  fault?: ValueFault
}

/** A map that has no faults, ready for use. */
export interface OpenMap {
  readonly slots: readonly Slot[]
  /** What is to be polled: words of the PLC, those that ask for something `first`, and the cell's own to read back. */
  readonly reads: readonly { area: MapArea; address: number; first: boolean }[]
  /** What a server has for this map. */
  readonly blocks: { registers: readonly MapBlock[]; coils: readonly MapBlock[] }
  /** The cell's words. What does not fit is written as 0 and told by `faultsOf` before. */
  words: (outputs: CellOutputs) => CellWord[]
  /** The cell's variables, in the order in which they are to be written. */
  variables: (outputs: CellOutputs) => NamedValue[]
  /** The words of the PLC's inputs; missing rows are 0. */
  plcWords: (inputs: PlcInputs) => CellWord[]
  /** The PLC's inputs. @param valueAt a register or coil as it was read */
  readWords: (valueAt: (area: MapArea, address: number) => number | undefined) => PlcInputs
  /** The PLC's inputs. @param valueOf a variable as it was read */
  readNames: (valueOf: (name: string) => unknown) => PlcInputs
  /** Results that do not fit the types that the map gives them. */
  faultsOf: (data: CellData) => ValueFault[]
  /** The first of them as an error `DOES_NOT_FIT`. */
  misfit: (data: CellData) => PlcError | undefined
  /** Each value with its registers. */
  preview: (outputs: CellOutputs) => ShownValue[]
}

/**
 * @param by whether lines stand at addresses or under names
 * @throws PlcError `INVALID_INPUT` with the first fault of the map
 */
export function openMap(map: PlcMap, by: 'address' | 'name' = map.by ?? 'address'): OpenMap {
  const fault = checkMap(map, by).find(({ severity }) => severity === 'error')
  if (fault) throw mapFaultError(fault)
  const orders = { order: map.order ?? 'ABCD', textOrder: map.textOrder ?? 'first-high' } as const
  const format = formatOf(map)
  const slots = slotsOf(map)
  const ofPlc = slots.filter(({ meaning }) => meaning.from === 'plc')
  const ofCell = slots.filter(({ meaning }) => meaning.from === 'cell')
  const ofData = ofCell.filter(({ row }) => isDataRow(row))
  const reserved = by === 'address' ? reservedWords(slots, map.reserve ?? 1) : []

  const plan = planWords(ofCell)
  // What a cell reads as inputs is the same memory for the PLC.
  const writable = ofPlc.map((slot): Slot =>
    slot.area === 'discreteInputs' ? { ...slot, area: 'coils' } : slot,
  )

  const typed = (slot: Slot, outputs: CellOutputs) => typedValue(slot, rawValue(slot, outputs, format))
  const placed = (slot: Slot, outputs: CellOutputs): [Slot, PlcValue] => {
    const result = typed(slot, outputs)
    return [slot, 'fault' in result ? emptyOf(slot.type) : result.value]
  }
  // Results stay the same from one answer to the next, while states and the life counter change.
  let last: { data: CellData; values: ReadonlyMap<Slot, [Slot, PlcValue]> } | undefined
  const valuesOf = (outputs: CellOutputs) => {
    if (last?.data !== outputs.data)
      last = { data: outputs.data, values: new Map(ofData.map((slot) => [slot, placed(slot, outputs)])) }
    const { values } = last
    return ofCell.map((slot) => values.get(slot) ?? placed(slot, outputs))
  }
  const faultsOf = (data: CellData) =>
    ofData.flatMap((slot) => {
      const result = typed(slot, { data } as CellOutputs)
      return 'fault' in result ? [result.fault] : []
    })

  return {
    slots,
    reads: [
      ...ofPlc.flatMap((slot) => addressesOf(slot, asksFirst(slot))),
      ...ofCell.flatMap((slot) => addressesOf(slot, false)),
    ],
    blocks: mapBlocks(slots),
    words: (outputs) => [...cellWords(valuesOf(outputs), orders, plan), ...reserved],
    plcWords: (inputs) => cellWords(plcValues(writable, inputs), orders),
    variables: (outputs) => namedValues(valuesOf(outputs)),
    readWords: (valueAt) => plcSays(ofPlc, fromWords(valueAt, orders.order)),
    readNames: (valueOf) => plcSays(ofPlc, fromNames(valueOf)),
    faultsOf,
    misfit: (data) => {
      const [first] = faultsOf(data)
      return first && valueFaultError(first)
    },
    preview: (outputs) =>
      ofCell.map((slot) => {
        const result = typed(slot, outputs)
        const value = 'fault' in result ? emptyOf(slot.type) : result.value
        const words = cellWords([[slot, value]], orders).map((word) => word.value)
        return { slot, value, words, ...('fault' in result && { fault: result.fault }) }
      }),
  }
}

/** Read before job and arguments, which the PLC writes before it asks. */
const asksFirst = ({ row }: Slot) => row === 'trigger' || row === 'sequence' || row === 'command'

const addressesOf = ({ area, address, words }: Slot, first: boolean) =>
  address === undefined
    ? []
    : Array.from({ length: words }, (_, offset) => ({ area, address: address + offset, first }))

/** Registers or coils beside each other. */
export interface MapBlock {
  address: number
  count: number
  /** The PLC writes them. */
  writable: boolean
}

/** Who has an address: nobody's stand between others. */
type Owner = 'plc' | 'cell' | undefined

/** Registers that nobody has, between words of the cell and no more than `most`: the cell's too, always 0. */
function reservedWords(slots: readonly Slot[], most: number): CellWord[] {
  return gapsIn(ownersIn(slots, 'registers'), most)
    .filter(({ before, after }) => before === 'cell' && after === 'cell')
    .flatMap(({ addresses }) =>
      // No result depends on them.
      addresses.map((address) => ({ area: 'registers', address, value: 0, group: 'life' })),
    )
}

/** Widest gap that a server shows as 0: a PLC reads the whole map in one request. */
const widestGap = 16

/** What a server has for a map. */
const mapBlocks = (slots: readonly Slot[]): { registers: MapBlock[]; coils: MapBlock[] } => ({
  registers: blocksOf(ownersIn(slots, 'registers')),
  coils: blocksOf(ownersIn(slots, 'coils')),
})

function ownersIn(slots: readonly Slot[], wanted: 'registers' | 'coils'): Map<number, Owner> {
  const owners = new Map<number, Owner>()
  for (const { area, address, words, meaning } of slots) {
    const isThere = isBitArea(area) === (wanted === 'coils')
    if (!isThere || address === undefined) continue
    for (let offset = 0; offset < words; offset++) owners.set(address + offset, meaning.from)
  }
  return owners
}

function gapsIn(owners: ReadonlyMap<number, Owner>, most: number) {
  const known = [...owners.keys()].sort((one, other) => one - other)
  return known.flatMap((address, place) => {
    const next = known[place + 1] ?? address + 1
    const count = next - address - 1
    if (count === 0 || count > most) return []
    const addresses = Array.from({ length: count }, (_, offset) => address + 1 + offset)
    return [{ addresses, before: owners.get(address), after: owners.get(next) }]
  })
}

function blocksOf(owners: Map<number, Owner>): MapBlock[] {
  for (const { addresses, before, after } of gapsIn(owners, widestGap))
    for (const address of addresses)
      owners.set(address, before === 'plc' && after === 'plc' ? 'plc' : undefined)
  const blocks: MapBlock[] = []
  for (const address of [...owners.keys()].sort((one, other) => one - other)) {
    const writable = owners.get(address) === 'plc'
    const last = blocks.at(-1)
    if (last && last.writable === writable && last.address + last.count === address) last.count++
    else blocks.push({ address, count: 1, writable })
  }
  return blocks
}

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
function planWords(slots: readonly Slot[]): PlannedWord[] {
  const plan = new Map<string, PlannedWord>()
  for (const [place, { area: given, address: first = 0, words, meaning }] of slots.entries()) {
    const area: SharedArea = isShared(given) ? given : 'registers'
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
function cellWords(
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
  { type, area, bit = 0, words, order: own, hasHeader, length }: Slot,
  value: PlcValue,
  { order, textOrder }: Orders,
): number[] {
  if (type === 'bit') return [value === true ? (isBitArea(area) ? 1 : 1 << bit) : 0]
  if (isNumberType(type)) return registersOf(Number(value), type, own ?? order)
  const content = typeof value === 'string' ? Buffer.from(value, 'latin1') : (value as Uint8Array)
  const bytes = hasHeader ? Buffer.from([length, content.length, ...content]) : content
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

/** A variable with the value that it is to have. */
export interface NamedValue {
  name: string
  type: PlcType
  value: PlcValue
  group: RowGroup
}

/** Variables in the order in which they are to be written: results first, what makes them valid last. */
function namedValues(values: readonly (readonly [Slot, PlcValue])[]): NamedValue[] {
  const named = new Map<string, NamedValue>()
  for (const [{ name = '', type, bit, meaning }, value] of values) {
    const before = named.get(name)
    // Bits of one variable are one word.
    const isWord = type === 'bit' && bit !== undefined
    named.set(name, {
      name,
      type: isWord ? 'UINT' : type,
      value: isWord ? Number(before?.value ?? 0) | (value === true ? 1 << bit : 0) : value,
      group: before ? later(before.group, meaning.group) : meaning.group,
    })
  }
  const ranks: readonly RowGroup[] = writingOrder
  return [...named.values()].sort((one, other) => ranks.indexOf(one.group) - ranks.indexOf(other.group))
}

/** The value of a slot as it was read; undefined where it was not, or is none. */
type SlotReader = (slot: Slot) => boolean | number | undefined

/** What the PLC inputs: the rows that could be read. */
function plcSays(slots: readonly Slot[], read: SlotReader): PlcInputs {
  const inputs: Record<string, unknown> = {}
  const parts: (number | undefined)[] = []
  for (const slot of slots) {
    const value = read(slot)
    if (slot.row === 'argument') parts[slot.index - 1] = typeof value === 'number' ? value : undefined
    else if (value !== undefined) inputs[slot.row] = value
  }
  if (parts.length) inputs.argument = Array.from(parts, (part) => part ?? 0)
  return inputs
}

/** The values of the PLC's slots, as they stand in its memory. */
const plcValues = (slots: readonly Slot[], inputs: PlcInputs): (readonly [Slot, PlcValue])[] =>
  slots.map((slot) => {
    const given = (inputs as Readonly<Partial<Record<RowName, unknown>>>)[slot.row]
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
const fromNames =
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

/** What a value of the map looks like in the PLC. */
interface SampleValue {
  value: PlcValue
  /** Its registers or coils. */
  words: readonly number[]
}

/** Numbers that show signs, scales and orders; texts and poses have their own. */
const samples: Readonly<Partial<Record<RowName, number>>> = {
  command: 4,
  code: -8,
  counter: 1204,
  sequence: 1204,
  sequenceEcho: 1204,
  acquisitionId: 1204,
  duration: 43,
  job: 7,
  jobEcho: 7,
  count: 2,
  score: 0.87,
  argument: 123_456,
  life: 77,
  plcLife: 77,
}

/** Metres and radians. */
const lengths = [0.1234, -0.0567, 0.4321]

const angles = [10, -20, 90].map((degrees) => (degrees * Math.PI) / 180)

/** A sample of a value with its words. @returns undefined where the sample does not fit the type */
export function sampleOf(slot: Slot, map: PlcMap): SampleValue | undefined {
  const typed = typedValue(slot, rawSample(slot))
  if ('fault' in typed) return undefined
  const { value } = typed
  const orders = { order: map.order ?? 'ABCD', textOrder: map.textOrder ?? 'first-high' } as const
  return { value, words: cellWords([[slot, value]], orders).map((word) => word.value) }
}

function rawSample({ row, type, quantity, component }: Slot): unknown {
  if (type === 'bit') return true
  if (type === 'STRING') return 'A'
  if (type === 'bytes') return [1]
  const nth = (values: readonly number[]) => values[(component - 1) % values.length]
  if (quantity === 'length') return nth(lengths)
  if (quantity === 'angle') return nth(angles)
  return samples[row] ?? (row === 'pose' ? 0.5 : 12)
}
