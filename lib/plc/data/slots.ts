import { poseFormat, type PoseFormat, type PoseNumber } from '../../robotics/pose-formats'
import { rows, type PlcType, type Row, type RowName } from '../rows'
import { isNumberType, numberTypes } from './fit'
import type { MapArea, MapLine, PlcMap, WordOrder } from './map'
import { quantityOf, unitsPerBase, type Quantity } from './units'

/** One value of a map: a line, or one number of a line that holds a whole pose. */
export interface Slot {
  /** Place of the line in the map. */
  line: number
  row: RowName
  /** What the row is. */
  meaning: Row
  /** From 1; 1 where the row has no index. */
  index: number
  /** From 1; 1 where the row has no components. */
  component: number
  path: string | undefined
  type: PlcType
  area: MapArea
  /** Missing where the line has a name alone. */
  address: number | undefined
  name: string | undefined
  bit: number | undefined
  /** Registers, or coils. */
  words: number
  /** Characters or bytes. */
  length: number
  /** Own order of the words and bytes; undefined: that of the map. */
  order: WordOrder | undefined
  /** What the value measures before it is written; an angle in radians. */
  quantity: Quantity
  /** What the PLC counts in, where the value has a unit. */
  unit: string | undefined
  /** The PLC has so many times the value. */
  factor: number
}

export const defaultFormat = 'kuka'

export const formatOf = (map: PlcMap): PoseFormat => poseFormat(map.pose?.format ?? defaultFormat)

/** The values of a map that has no faults, in the order of its lines. */
export const slotsOf = (map: PlcMap): Slot[] =>
  map.lines.flatMap((line, index) => slotsOfLine(line, index, map))

/** The values of one line. */
export function slotsOfLine(line: MapLine, place: number, map: PlcMap): Slot[] {
  const meaning: Row = rows[line.row]
  const words = wordsOf(line)
  const format = formatOf(map)
  const components =
    meaning.components && line.component === undefined
      ? format.numbers.map((_, index) => index + 1)
      : [line.component ?? 1]
  return components.map((component, offset) => {
    const number = meaning.components ? format.numbers[component - 1] : undefined
    const quantity = quantityOfLine(line, number)
    const unit = unitOf(line, quantity, number, map)
    const perBase = (unit !== undefined && unitsPerBase(quantity, unit)) || 1
    return {
      line: place,
      row: line.row,
      meaning,
      index: line.index ?? 1,
      component,
      path: line.path,
      type: line.type,
      area: line.area ?? 'registers',
      address: line.address === undefined ? undefined : line.address + offset * words,
      name: nameOf(line, number, components.length > 1),
      bit: line.bit,
      words,
      length: line.length ?? 0,
      order: line.order,
      quantity,
      unit,
      factor: perBase * (line.scale ?? defaultScale(line, number)),
    }
  })
}

/** Each number of a whole pose has a variable of its own. */
const nameOf = ({ name }: MapLine, number: PoseNumber | undefined, isWhole: boolean) =>
  name !== undefined && number && isWhole ? `${name}.${number.name}` : name

export function wordsOf({ type, length = 1 }: MapLine): number {
  if (type === 'bit') return 1
  return isNumberType(type) ? numberTypes[type].words : Math.ceil(length / 2)
}

/** What a line measures: by its pose number, or by the unit that was chosen for a property. */
export function quantityOfLine(line: MapLine, number: PoseNumber | undefined): Quantity {
  if (number) return number.unit === 'length' ? 'length' : number.unit === '1' ? 'number' : 'angle'
  if (line.row === 'duration') return 'time'
  return (line.row === 'property' && line.unit !== undefined && quantityOf(line.unit)) || 'number'
}

/** The unit that the PLC counts in; a plain number has none. */
function unitOf(
  line: MapLine,
  quantity: Quantity,
  number: PoseNumber | undefined,
  map: PlcMap,
): string | undefined {
  if (quantity === 'number') return undefined
  const chosen = quantity === 'length' ? map.pose?.length : quantity === 'angle' ? map.pose?.angle : undefined
  const own =
    line.unit !== undefined && unitsPerBase(quantity, line.unit) !== undefined ? line.unit : undefined
  return own ?? (number && chosen) ?? defaultUnit(line, quantity, number, map)
}

function defaultUnit(line: MapLine, quantity: Quantity, number: PoseNumber | undefined, map: PlcMap): string {
  if (quantity === 'time') return 'ms'
  if (line.type === 'REAL')
    return quantity === 'length' ? formatOf(map).length : number?.unit === 'rad' ? 'rad' : '°'
  const fine = wordsOf(line) === 2
  return quantity === 'length' ? (fine ? '0.001 mm' : '0.1 mm') : fine ? '0.001°' : '0.01°'
}

/** Numbers of a quaternion or a matrix are between -1 and 1: an integer would keep nothing of them. */
const defaultScale = ({ type }: MapLine, number: PoseNumber | undefined): number =>
  number?.unit === '1' && type !== 'REAL' ? 10_000 : 1

/** What a person calls a value: `pose 1.3`, `argument 2`, `payload.score`. */
export function labelOf({ row, index, component, path }: MapLine | Slot): string {
  const { indexed, components }: Row = rows[row]
  if (row === 'property') return path ?? row
  if (!indexed) return row
  const number = components && component !== undefined ? `.${component}` : ''
  return `${row} ${index ?? 1}${number}`
}
