/** The register map: its lines, their places, units and names. */
import {
  poseFormat,
  type PoseFormat,
  type PoseFormatName,
  type PoseNumber,
} from '../../robotics/pose-formats'
import { type PlcType, type Row, type RowName, rows, type SharedArea, shortRowText } from '../rows'

/** Types whose values are numbers. */
export type NumberType = 'INT' | 'UINT' | 'DINT' | 'UDINT' | 'REAL'

/** The largest that a REAL holds. */
const mostReal = (2 - 2 ** -23) * 2 ** 127

/** Registers, least and most of each. */
export const numberTypes: Readonly<Record<NumberType, { words: 1 | 2; least: number; most: number }>> = {
  INT: { words: 1, least: -32_768, most: 32_767 },
  UINT: { words: 1, least: 0, most: 65_535 },
  DINT: { words: 2, least: -2_147_483_648, most: 2_147_483_647 },
  UDINT: { words: 2, least: 0, most: 4_294_967_295 },
  REAL: { words: 2, least: -mostReal, most: mostReal },
}

export const isNumberType = (type: PlcType): type is NumberType => Object.hasOwn(numberTypes, type)

/** Memory of a PLC that a line can stand in; the cell writes registers and coils alone. */
export type MapArea = SharedArea | 'inputRegisters' | 'discreteInputs'

/** Whether its items are bits; otherwise they are words of 16 bit. */
export const isBitArea = (area: MapArea): area is 'coils' | 'discreteInputs' | `bits ${string}` =>
  area === 'coils' || area === 'discreteInputs' || area.startsWith('bits ')

/** Whether the cell can write there. */
export const isShared = (area: MapArea): area is SharedArea =>
  area !== 'inputRegisters' && area !== 'discreteInputs'

/** Where a value stands. */
export interface NotedPlace {
  area: MapArea
  address: number
  /** Of a bit in a word. */
  bit?: number
}

/** How the programming tool of a PLC writes addresses, and which memory there is. */
export interface Notation {
  /** For sentences: `DB1.DBW4, MW10`. */
  readonly examples: string
  /** Whether two bytes before a text have the longest length and the present one. */
  readonly hasTextHeader: boolean
  has: (area: MapArea) => boolean
  /** Whether the cell may write there. */
  isWritable: (area: MapArea) => boolean
  /** @returns undefined where the text is no address of such a value */
  read: (text: string, type: PlcType) => NotedPlace | undefined
  write: (slot: Pick<Slot, 'area' | 'address' | 'bit' | 'type' | 'words'>) => string
}

/** A meaning, and where the PLC has it: at an address, or under a name where the protocol has names. */
export interface MapLine {
  row: RowName
  /** Argument or pose, from 1; for indexed rows. */
  index?: number
  /** Number of the pose, from 1. Without it the line holds all of them, one after the other. */
  component?: number
  /** Where a property is in the message: `payload.grasps[0].score`. */
  path?: string
  type: PlcType
  /** @default 'registers' */
  area?: MapArea
  /** From 0. */
  address?: number
  /** Variable, tag or node id. Bits of one name are written as one word. */
  name?: string
  /** 0 to 15, for a bit of a word. */
  bit?: number
  /** Characters of a STRING, or bytes; 2 in a register. */
  length?: number
  /** What the PLC counts in. @default the pose format's own for REAL; 0.1 mm and 0.01° in 16, 0.001 in 32 bit */
  unit?: Unit
  /** The PLC has so many times the value, after the unit. @default 1; 10000 for quaternions that are no REAL */
  scale?: number
  /** Of 32 bit in two registers, as the map's; of a text or bytes `BADC` has the first one in the low half. @default the map's */
  order?: WordOrder
}

/** In which order the bytes of 32 bit stand in two registers; `ABCD` has the highest byte first. */
export const wordOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const

export type WordOrder = (typeof wordOrders)[number]

/** Which of two characters or bytes stands in the high half of a register. */
export const textOrders = ['first-high', 'first-low'] as const

export type TextOrder = (typeof textOrders)[number]

/** Everything that says how values stand in a PLC. */
export interface PlcMap {
  lines: readonly MapLine[]
  /** @default registers, coils and inputs, by their numbers */
  notation?: Notation
  /** Whether the lines stand at addresses or under names. @default 'address' */
  by?: 'address' | 'name'
  /** @default 'ABCD' */
  order?: WordOrder
  /** @default 'first-high' */
  textOrder?: TextOrder
  /**
   * Most registers that no line has, between two of the cell's: so many are the cell's too, and written as 0, so that one
   * request is enough. @default 1
   */
  reserve?: number
  /** How poses are written. */
  pose?: {
    /** @default 'kuka' */
    format?: PoseFormatName
    /** For lines without a unit of their own. */
    length?: LengthUnit
    /** For lines without a unit of their own. */
    angle?: AngleUnit
  }
}

/** Lengths: how many of them a metre has. */
const lengths = { m: 1, mm: 1e3, '0.1 mm': 1e4, '0.01 mm': 1e5, '0.001 mm': 1e6 } as const

const perRadian = 180 / Math.PI

/** Angles: how many of them a radian has. */
const angles = {
  rad: 1,
  '0.001 rad': 1e3,
  '°': perRadian,
  '0.1°': perRadian * 10,
  '0.01°': perRadian * 100,
  '0.001°': perRadian * 1e3,
} as const

/** Times: how many of them a millisecond has. */
const times = { ms: 1, '10 ms': 0.1, '0.1 s': 0.01, s: 0.001 } as const

export type LengthUnit = keyof typeof lengths

export type AngleUnit = keyof typeof angles

export type TimeUnit = keyof typeof times

/** What a PLC counts in. Our own values are metres, radians and milliseconds. */
export type Unit = LengthUnit | AngleUnit | TimeUnit

/** What a value measures; a plain number has no unit. */
type Quantity = 'length' | 'angle' | 'time' | 'number'

export const units: Readonly<Record<Exclude<Quantity, 'number'>, Readonly<Record<string, number>>>> = {
  length: lengths,
  angle: angles,
  time: times,
}

/** How many of a unit the base unit has; nothing where it is not a unit of that quantity. */
export function unitsPerBase(quantity: Quantity, unit: string): number | undefined {
  const known = quantity === 'number' ? {} : units[quantity]
  return Object.hasOwn(known, unit) ? known[unit] : undefined
}

const quantityOf = (unit: string): Quantity | undefined =>
  (['length', 'angle', 'time'] as const).find((quantity) => Object.hasOwn(units[quantity], unit))

/** Longest path, and most of its parts. */
const longest = 300

const deepest = 20

/**
 * The keys of a path such as `payload.grasps[0].pose["x y"]`, without a leading `msg.`.
 * @returns undefined where it is not a path
 */
export function keysOf(path: string): string[] | undefined {
  const text = path.trim().replace(/^msg\./, '')
  if (text === '' || text.length > longest) return undefined
  const keys: string[] = []
  const step =
    /(?:^|\.)([\p{L}_$][\p{L}\p{N}_$]*)|\[(\d{1,9})\]|\["([^"\]]{1,100})"\]|\['([^'\]]{1,100})'\]/uy
  while (step.lastIndex < text.length) {
    const [whole, name, index, quoted, single] = step.exec(text) ?? []
    const key = name ?? index ?? quoted ?? single
    if (whole === undefined || key === undefined || keys.length === deepest) return undefined
    keys.push(key)
  }
  return keys
}

/** What stands there; only what objects have of their own. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let found = value
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[key]
  }
  return found
}

/** A line whose address is written as the PLC's programming tool does. */
export type NotedLine = Omit<MapLine, 'address'> & { address?: number | string }

/** The line with its place; an address that cannot be read stays as it is, and is a fault of the map. */
export function placedLine({ address, ...line }: NotedLine, notation: Notation | undefined): MapLine {
  if (typeof address !== 'string' || !notation) return { ...line, address } as MapLine
  const place = notation.read(address, line.type)
  if (!place) return { ...line, address } as unknown as MapLine
  const { area: _area, bit: _bit, ...others } = line
  const { area, ...found } = place
  return { ...others, ...found, ...(area !== 'registers' && { area }) }
}

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
  /** Whether the first of them has the lengths of a text. */
  hasHeader: boolean
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
  const hasHeader = line.type === 'STRING' && map.notation?.hasTextHeader === true
  const words = wordsOf(line) + (hasHeader ? 1 : 0)
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
      hasHeader,
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

function wordsOf({ type, length = 1 }: MapLine): number {
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

type Labelled = { row: RowName; index?: number; component?: number | undefined; path?: string | undefined }

/** What a sentence calls a value of the map, in the language of its reader: `Pose 1.3`, `Result code`, `payload.score`. */
export class RowLabel {
  readonly #of: Labelled

  constructor({ row, index, component, path }: Labelled) {
    this.#of = { row, ...(index !== undefined && { index }), component, path }
  }

  inLanguage(language?: string): string {
    const { row, index = 1, component, path } = this.#of
    const { indexed, components }: Row = rows[row]
    if (row === 'property') return path ?? shortRowText(row, language)
    if (!indexed) return shortRowText(row, language)
    return `${shortRowText(row, language)} ${index}${components && component !== undefined ? `.${component}` : ''}`
  }

  toString(): string {
    return this.inLanguage()
  }

  toJSON(): string {
    return this.inLanguage()
  }
}
