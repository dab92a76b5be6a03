import { isDataRow, type CellData, type CellSays, type PlcSays } from '../rows'
import type { CellWord } from '../words'
import { mapBlocks, reservedWords, type MapBlock } from './blocks'
import { cellWords, planWords } from './cell-words'
import { checkMap } from './check-map'
import { mapFaultError, valueFaultError } from './data-error'
import type { PlcError } from '../plc-error'
import type { MapArea, PlcMap } from './map'
import { namedValues, type NamedValue } from './named-values'
import { fromNames, fromWords, plcSays, plcValues } from './readings'
import { rawValue } from './raw-value'
import { formatOf, slotsOf, type Slot } from './slots'
import { emptyOf, typedValue, type PlcValue, type ValueFault } from './typed-value'

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
  words: (says: CellSays) => CellWord[]
  /** The cell's variables, in the order in which they are to be written. */
  variables: (says: CellSays) => NamedValue[]
  /** The words of what the PLC says: rows that it does not say are 0. */
  plcWords: (says: PlcSays) => CellWord[]
  /** What the PLC says. @param valueAt a register or coil as it was read */
  readWords: (valueAt: (area: MapArea, address: number) => number | undefined) => PlcSays
  /** What the PLC says. @param valueOf a variable as it was read */
  readNames: (valueOf: (name: string) => unknown) => PlcSays
  /** Results that do not fit the types that the map gives them. */
  faultsOf: (data: CellData) => ValueFault[]
  /** The first of them as an error `DOES_NOT_FIT`. */
  misfit: (data: CellData) => PlcError | undefined
  /** Each value with its registers. */
  preview: (says: CellSays) => ShownValue[]
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

  const typed = (slot: Slot, says: CellSays) => typedValue(slot, rawValue(slot, says, format))
  const placed = (slot: Slot, says: CellSays): [Slot, PlcValue] => {
    const result = typed(slot, says)
    return [slot, 'fault' in result ? emptyOf(slot.type) : result.value]
  }
  // Results stay the same from one answer to the next, while states and the life counter change.
  let last: { data: CellData; values: ReadonlyMap<Slot, [Slot, PlcValue]> } | undefined
  const valuesOf = (says: CellSays) => {
    if (last?.data !== says.data)
      last = { data: says.data, values: new Map(ofData.map((slot) => [slot, placed(slot, says)])) }
    const { values } = last
    return ofCell.map((slot) => values.get(slot) ?? placed(slot, says))
  }
  const faultsOf = (data: CellData) =>
    ofData.flatMap((slot) => {
      const result = typed(slot, { data } as CellSays)
      return 'fault' in result ? [result.fault] : []
    })

  return {
    slots,
    reads: [
      ...ofPlc.flatMap((slot) => addressesOf(slot, asksFirst(slot))),
      ...ofCell.flatMap((slot) => addressesOf(slot, false)),
    ],
    blocks: mapBlocks(slots),
    words: (says) => [...cellWords(valuesOf(says), orders, plan), ...reserved],
    plcWords: (says) => cellWords(plcValues(writable, says), orders),
    variables: (says) => namedValues(valuesOf(says)),
    readWords: (valueAt) => plcSays(ofPlc, fromWords(valueAt, orders.order)),
    readNames: (valueOf) => plcSays(ofPlc, fromNames(valueOf)),
    faultsOf,
    misfit: (data) => {
      const [first] = faultsOf(data)
      return first && valueFaultError(first)
    },
    preview: (says) =>
      ofCell.map((slot) => {
        const result = typed(slot, says)
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
