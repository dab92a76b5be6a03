/** What is wrong with a map, line by line. */
import { sentencesIn } from '../../kernel/sentences'
import { knownPoseFormat, poseFormatIds } from '../../robotics/pose-formats'
import { checkOption, isWholeWithin, type PlcError, plcErrorsOf } from '../plc-error'
import { type Row, rows } from '../rows'
import type { ValueFault } from './values'
import type en from './locales/en-US/sentences.json'
import {
  defaultFormat,
  formatOf,
  isNumberType,
  keysOf,
  labelOf,
  type MapLine,
  type PlcMap,
  quantityOfLine,
  RowLabel,
  type Slot,
  slotsOf,
  slotsOfLine,
  textOrders,
  units,
  unitsPerBase,
  wordOrders,
  isBitArea,
  isShared,
  type Notation,
} from './map'

/**
 * All faults of the lines of a map; none for one that can be used as it is.
 * @throws PlcError `INVALID_INPUT` for what concerns all lines
 */
export function checkMap(map: PlcMap, by: 'address' | 'name' = map.by ?? 'address'): MapFault[] {
  checkSettings(map)
  const faults = map.lines.flatMap((line, index) => faultsOfLine(line, index, map, by))
  // Lines that are wrong in themselves have no place yet.
  return faults.length ? faults : [...twice(map), ...overlaps(map, by)]
}

function checkSettings({ order = 'ABCD', textOrder = 'first-high', reserve = 1, pose = {} }: PlcMap): void {
  const { format = defaultFormat, length = 'mm', angle = '°' } = pose
  const expectOne = (option: string, value: string, known: readonly string[]) =>
    checkOption(option, value, known.includes(value), known.join(', '))
  expectOne('order', order, wordOrders)
  expectOne('textOrder', textOrder, textOrders)
  checkOption('reserve', reserve, isWholeWithin(reserve, 0, 16), '0 to 16')
  checkOption('format', format, knownPoseFormat(format) !== undefined, poseFormatIds.join(', '))
  expectOne('length', length, Object.keys(units.length))
  expectOne('angle', angle, Object.keys(units.angle))
}

function faultsOfLine(line: MapLine, place: number, map: PlcMap, by: 'address' | 'name'): MapFault[] {
  const found: MapFault[] = []
  const fault = (right: boolean, key: MapFaultKey, values: MapFault['values'] = {}) => {
    if (!right)
      found.push({
        key,
        severity: 'error',
        line: place,
        values: { row: rowOf(line), type: line.type, ...values },
      })
  }
  if (!Object.hasOwn(rows, line.row)) {
    return [{ key: 'map-row', severity: 'error', line: place, values: { row: line.row } }]
  }
  const row: Row = rows[line.row]
  const { numbers } = formatOf(map)
  fault(fitsKind(row, line), 'map-type', { expected: typesOf(row) })
  const isCoil = line.area !== undefined && isBitArea(line.area)
  const needsBit = line.type === 'bit' && by === 'address' && !isCoil
  const mayHaveBit = line.type === 'bit' && !isCoil
  fault(line.bit === undefined ? !needsBit : !mayHaveBit || isWholeWithin(line.bit, 0, 15), 'map-bit')
  fault(line.bit === undefined || mayHaveBit, 'map-no-bit')
  fault(!isCoil || line.type === 'bit', 'map-area', { area: line.area ?? 'registers' })
  const { has, isWritable } = map.notation ?? modbusMemory
  const area = line.area ?? 'registers'
  fault(has(area) && (row.from === 'plc' || isWritable(area)), 'map-area', { area })
  fault(!row.indexed || isWholeWithin(line.index ?? 1, 1, 99), 'map-index')
  fault(
    !row.components || line.component === undefined || isWholeWithin(line.component, 1, numbers.length),
    'map-component',
    {
      count: numbers.length,
      format: formatOf(map).id,
    },
  )
  fault(!row.path || keysOf(line.path ?? '') !== undefined, 'map-path', { path: line.path ?? '' })
  const needsLength = line.type === 'STRING' || line.type === 'bytes'
  fault(!needsLength || isWholeWithin(line.length, 1, 240), 'map-length')
  const number = numbers[(line.component ?? 1) - 1]
  const quantity = quantityOfLine(line, row.components ? number : undefined)
  fault(line.unit === undefined || unitsPerBase(quantity, line.unit) !== undefined, 'map-unit', {
    unit: line.unit ?? '',
  })
  fault(line.scale === undefined || (Number.isFinite(line.scale) && line.scale !== 0), 'map-scale')
  fault(line.order === undefined || wordOrders.includes(line.order), 'map-order', {
    order: String(line.order),
  })
  if (by === 'name') fault(line.name !== undefined && line.name.trim() !== '', 'map-name')
  else
    fault(isWholeWithin(line.address, 0, 65_535), map.notation ? 'map-own-address' : 'map-address', {
      address: String(line.address ?? ''),
      ...(map.notation && { examples: map.notation.examples }),
    })
  if (by === 'address' && !found.length) {
    const last = slotsOfLine(line, place, map).at(-1)
    const end = (last?.address ?? 0) + (last?.words ?? 1) - 1
    fault(end <= 65_535, 'map-end', { address: end })
  }
  return found
}

/** A row that does not exist is only its name. */
const rowOf = (line: MapLine) => (Object.hasOwn(rows, line.row) ? new RowLabel(line) : line.row)

const typesOf = ({ kind }: Row): string =>
  kind === 'bit'
    ? 'bit'
    : kind === 'any'
      ? 'bit, INT, UINT, DINT, UDINT, REAL, STRING, bytes'
      : 'INT, UINT, DINT, UDINT, REAL'

const fitsKind = ({ kind }: Row, { type }: MapLine): boolean =>
  kind === 'any' ||
  (kind === 'bit' ? type === 'bit' : kind === 'text' ? type === 'STRING' : isNumberType(type))

/** Two lines of one meaning would contradict each other where the PLC writes them. */
function twice(map: PlcMap): MapFault[] {
  const seen = new Set<string>()
  return map.lines.flatMap((line, place): MapFault[] => {
    const row = labelOf(line)
    const isFirst = !seen.has(row)
    seen.add(row)
    if (isFirst || rows[line.row].from === 'cell') return []
    return [{ key: 'map-twice', severity: 'error', line: place, values: { row: new RowLabel(line) } }]
  })
}

interface Occupied {
  slot: Slot
  /** The bits of the word that it has. */
  bits: number
}

/** Values that share a place, words that both sides write, and blocks that alternate. */
function overlaps(map: PlcMap, by: 'address' | 'name'): MapFault[] {
  const taken = new Map<string, Occupied[]>()
  const faults: MapFault[] = []
  for (const slot of slotsOf(map)) {
    const bits = slot.type === 'bit' && slot.bit !== undefined ? 1 << slot.bit : 0xffff
    for (const place of placesOf(slot, by)) {
      const others = taken.get(place) ?? []
      const fault = faultBetween(slot, bits, others, map)
      // One value of several words, and a line of several numbers, is told once.
      if (fault && faults.at(-1)?.line !== slot.line) faults.push(fault)
      taken.set(place, [...others, { slot, bits }])
    }
  }
  return faults.length || by === 'name' ? faults : alternations(map)
}

const placesOf = ({ area, address = 0, name = '', words }: Slot, by: 'address' | 'name'): string[] =>
  by === 'name' ? [name] : Array.from({ length: words }, (_, offset) => `${area} ${address + offset}`)

function faultBetween(
  slot: Slot,
  bits: number,
  others: readonly Occupied[],
  map: PlcMap,
): MapFault | undefined {
  const same = others.find((each) => (each.bits & bits) !== 0)
  const foreign = others.find((each) => each.slot.meaning.from !== slot.meaning.from)
  const other = same ?? foreign
  if (!other) return undefined
  return {
    key: same ? 'map-overlap' : 'map-mixed-word',
    severity: 'error',
    line: slot.line,
    values: {
      row: new RowLabel(slot),
      other: new RowLabel(other.slot),
      address: placeText(slot, map),
    },
  }
}

/** Where a value stands, for a sentence. */
const placeText = (slot: Slot, { notation }: PlcMap): string | number =>
  slot.address === undefined ? (slot.name ?? '') : (notation?.write(slot) ?? slot.address)

/** Registers, coils and inputs. */
const modbusMemory: Pick<Notation, 'has' | 'isWritable'> = {
  has: (area) => Object.hasOwn({ registers: 1, coils: 1, inputRegisters: 1, discreteInputs: 1 }, area),
  isWritable: isShared,
}

/** Each change from the PLC's words to the cell's and back costs a request. */
function alternations(map: PlcMap): MapFault[] {
  const registers = slotsOf(map)
    .filter(({ area }) => area === 'registers')
    .sort((one, other) => (one.address ?? 0) - (other.address ?? 0))
  const changes = registers.filter((slot, index) => {
    const before = registers[index - 1]
    return before !== undefined && before.meaning.from !== slot.meaning.from
  })
  const third = changes[1]
  if (!third) return []
  const values = { row: new RowLabel(third), address: placeText(third, map) }
  return [{ key: 'map-alternates', severity: 'warning', line: third.line, values }]
}

type MapFaultKey =
  | 'map-row'
  | 'map-address'
  | 'map-own-address'
  | 'map-end'
  | 'map-name'
  | 'map-type'
  | 'map-bit'
  | 'map-no-bit'
  | 'map-index'
  | 'map-component'
  | 'map-path'
  | 'map-length'
  | 'map-unit'
  | 'map-scale'
  | 'map-order'
  | 'map-area'
  | 'map-overlap'
  | 'map-twice'
  | 'map-mixed-word'
  | 'map-alternates'

/** Something that a map cannot have, or should not. */
export interface MapFault {
  /** Key of its sentence. */
  key: MapFaultKey
  /** An error cannot be used; a warning costs time. */
  severity: 'error' | 'warning'
  /** Place of the line in the map, from 0. */
  line: number
  values: Record<string, string | number | RowLabel>
}

const sentences = sentencesIn<typeof en>(__dirname)
const dataError = plcErrorsOf(sentences)

/** What is wrong with a line of a map, and what to do about it. */
export const mapFaultText = ({ key, values }: MapFault, language?: string): string =>
  sentences.say(key, values, language)

export const mapFaultError = ({ key, values, line }: MapFault): PlcError =>
  dataError({ code: 'INVALID_INPUT', key, values: { ...values, line } })

/** A value that does not fit, as the error that ends its cycle. */
export const valueFaultError = ({ problem, subject, type, value, least, most, line }: ValueFault): PlcError =>
  dataError({
    code: 'DOES_NOT_FIT',
    key: `value-${problem}`,
    values: { row: subject, type, value: shown(value), least: shown(least), most: shown(most), line },
  })

/** As a person writes it: a REAL has seven digits. */
const shown = (value: number | string | undefined) =>
  typeof value === 'number' ? String(Number(value.toPrecision(10))) : value
