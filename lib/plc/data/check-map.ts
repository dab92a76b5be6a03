import { knownPoseFormat, poseFormatIds } from '../../robotics/pose-formats'
import { checkOption, isWholeWithin } from '../option-check'
import { rows, type Row } from '../rows'
import { isNumberType } from './fit'
import { textOrders, wordOrders, type MapLine, type PlcMap } from './map'
import type { MapFault, MapFaultKey } from './map-fault'
import { overlaps } from './overlaps'
import { keysOf } from './path'
import { RowLabel } from './row-label'
import { defaultFormat, formatOf, labelOf, quantityOfLine, slotsOfLine } from './slots'
import { units, unitsPerBase } from './units'

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
  const isCoil = line.area === 'coils' || line.area === 'discreteInputs'
  const needsBit = line.type === 'bit' && by === 'address' && !isCoil
  const mayHaveBit = line.type === 'bit' && !isCoil
  fault(line.bit === undefined ? !needsBit : !mayHaveBit || isWholeWithin(line.bit, 0, 15), 'map-bit')
  fault(line.bit === undefined || mayHaveBit, 'map-no-bit')
  fault(!isCoil || line.type === 'bit', 'map-area', { area: line.area ?? 'registers' })
  fault(
    row.from === 'plc' || line.area === undefined || line.area === 'registers' || line.area === 'coils',
    'map-area',
    {
      area: line.area ?? 'registers',
    },
  )
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
  else fault(isWholeWithin(line.address, 0, 65_535), 'map-address', { address: String(line.address) })
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
