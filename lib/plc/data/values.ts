/** Values of a map: from the results of a cycle to their types, and from there to registers and back. */
import type { PoseFormat } from '../../robotics/pose-formats'
import { numbersOfPose } from '../../robotics/pose-numbers'
import type { CellOutputs, PlcType, RowRange } from '../rows'
import {
  isNumberType,
  keysOf,
  type NumberType,
  numberTypes,
  RowLabel,
  type Slot,
  type TextOrder,
  valueAt,
  type WordOrder,
} from './map'

/** A value as its type holds it. */
export type PlcValue = boolean | number | string | Uint8Array

/** Why a value does not fit. */
type ValueProblem = 'range' | 'not-a-number' | 'missing' | 'kind' | 'length' | 'characters'

/** A value that does not fit the type that the map gives it. Nothing of it is written. */
export interface ValueFault {
  problem: ValueProblem
  /** What a person calls it: `Pose 1.3`, `payload.score`. */
  subject: RowLabel
  /** Place of the line in the map. */
  line: number
  type: PlcType
  /** The value, after unit and scale; shortened where it is a text. */
  value?: number | string
  /** Limits of the type, or most characters or bytes. */
  least?: number
  most?: number
}

/** A value as the type of its slot holds it, or why it does not fit. */
export function typedValue(slot: Slot, raw: unknown): { value: PlcValue } | { fault: ValueFault } {
  if (raw === undefined) return { fault: faultOf(slot, 'missing') }
  if (raw === nothing) return { value: emptyOf(slot.type) }
  if (slot.type === 'bit') return bit(slot, raw)
  if (slot.type === 'STRING') return text(slot, raw)
  if (slot.type === 'bytes') return bytes(slot, raw)
  return number(slot, raw)
}

/** What stands where nothing is known. */
export const emptyOf = (type: PlcType): PlcValue =>
  type === 'bit' ? false : type === 'STRING' ? '' : type === 'bytes' ? new Uint8Array() : 0

type Typed = { value: PlcValue } | { fault: ValueFault }

function bit(slot: Slot, raw: unknown): Typed {
  if (typeof raw === 'boolean') return { value: raw }
  return raw === 0 || raw === 1 ? { value: raw === 1 } : { fault: faultOf(slot, 'kind', raw) }
}

function number(slot: Slot, raw: unknown): Typed {
  const { type, factor, meaning } = slot
  if (!isNumberType(type)) return { fault: faultOf(slot, 'kind', raw) }
  const given = typeof raw === 'boolean' ? Number(raw) : raw
  if (typeof given !== 'number') return { fault: faultOf(slot, 'kind', raw) }
  const value = given * factor
  const fit = fitted(value, type, meaning.range ?? 'exact')
  if (fit !== undefined) return { value: fit }
  if (Number.isNaN(value)) return { fault: faultOf(slot, 'not-a-number') }
  const { least, most } = numberTypes[type]
  return { fault: { ...faultOf(slot, 'range', value), least, most } }
}

function text(slot: Slot, raw: unknown): Typed {
  if (typeof raw !== 'string' && typeof raw !== 'number') return { fault: faultOf(slot, 'kind', raw) }
  const value = String(raw)
  if (value.length > slot.length) return { fault: { ...faultOf(slot, 'length', value), most: slot.length } }
  for (let at = 0; at < value.length; at++)
    if (value.charCodeAt(at) > 255) return { fault: faultOf(slot, 'characters', value) }
  return { value }
}

function bytes(slot: Slot, raw: unknown): Typed {
  const value = bytesOf(raw)
  if (!value) return { fault: faultOf(slot, 'kind', raw) }
  const fits = value.length <= slot.length
  return fits ? { value } : { fault: { ...faultOf(slot, 'length', value.length), most: slot.length } }
}

/** Bytes, also as JSON has them. */
function bytesOf(raw: unknown): Uint8Array | undefined {
  if (raw instanceof Uint8Array) return raw
  const list = typeof raw === 'object' && raw !== null && 'data' in raw ? raw.data : raw
  const isBytes =
    Array.isArray(list) &&
    list.length <= 65_535 &&
    list.every((each) => Number.isInteger(each) && each >= 0 && each <= 255)
  return isBytes ? Uint8Array.from(list as number[]) : undefined
}

const longestShown = 40

function faultOf(slot: Slot, problem: ValueProblem, value?: unknown): ValueFault {
  const shown = typeof value === 'string' ? value.slice(0, longestShown) : value
  return {
    problem,
    subject: new RowLabel(slot),
    line: slot.line,
    type: slot.type,
    ...((typeof shown === 'string' || typeof shown === 'number') && { value: shown }),
  }
}

/** Nothing has been measured: the PLC reads 0, or an empty text. */
const nothing = Symbol('nothing')

/**
 * What the cell says in a slot, before unit, scale and type: metres, radians, milliseconds.
 * @returns undefined where the message lacks the property
 */
export function rawValue(
  { row, index, component, path }: Slot,
  outputs: CellOutputs,
  format: PoseFormat,
): unknown {
  const { data } = outputs
  switch (row) {
    case 'count':
      return data.count ?? data.poses?.length ?? nothing
    case 'score':
      return data.score ?? nothing
    case 'imageProven':
      return data.proven ?? nothing
    case 'pose':
      return poseNumber(data.poses?.[index - 1], component, format)
    case 'property':
      return data.message === undefined
        ? nothing
        : (valueAt(data.message, keysOf(path ?? '') ?? []) ?? undefined)
    default:
      return row in outputs ? (outputs as Readonly<Partial<Record<string, unknown>>>)[row] : nothing
  }
}

type Poses = NonNullable<CellOutputs['data']['poses']>

/** Behind the last pose there is none: *count* says how many there are. */
function poseNumber(pose: Poses[number] | undefined, component: number, format: PoseFormat): unknown {
  if (!pose) return nothing
  const number = numbersOfPose(format, pose, { length: 'm' })[component - 1] ?? NaN
  return format.numbers[component - 1]?.unit === 'deg' ? (number * Math.PI) / 180 : number
}

/** The largest count that a REAL tells from the next one. */
const mostCount = 2 ** 24 - 1

/**
 * A number as a type holds it, halves rounded away from zero.
 * @returns undefined where it does not fit; it is never wrapped unless the range says that it starts again at 0
 */
export function fitted(value: number, type: NumberType, range: RowRange): number | undefined {
  if (Number.isNaN(value)) return undefined
  const { least, most } = numberTypes[type]
  const number = type === 'REAL' ? Math.fround(value) : rounded(value)
  if (range === 'wraps') return wrapped(number, type === 'REAL' ? mostCount : most)
  if (range === 'saturates') return Math.min(Math.max(number, least), most)
  return number >= least && number <= most ? number + 0 : undefined
}

/** 12 digits first: 1.15 mm are 11.5 tenths, which the computer has as 11.499999999999998. */
function rounded(value: number): number {
  if (Number.isInteger(value)) return value + 0
  const decimal = Number(value.toPrecision(12))
  return Math.sign(decimal) * Math.round(Math.abs(decimal)) + 0
}

const wrapped = (count: number, most: number): number | undefined =>
  Number.isFinite(count) ? ((count % (most + 1)) + (most + 1)) % (most + 1) : undefined

/** For one value at a time: a buffer for each would be most of what a cycle allocates. */
const pair = Buffer.alloc(4)

/** A number that fits its type, as registers. */
export function registersOf(value: number, type: NumberType, order: WordOrder): number[] {
  if (numberTypes[type].words === 1) return [value & 0xffff]
  if (type === 'REAL') pair.writeFloatBE(value)
  else pair.writeUInt32BE(value >>> 0)
  const high = pair.readUInt16BE(0)
  const low = pair.readUInt16BE(2)
  return ordered([high, low], order)
}

/** The number that registers hold. @param words one or two, as the type has */
export function numberOfRegisters(words: readonly number[], type: NumberType, order: WordOrder): number {
  const [first = 0, second = 0] = words
  if (type === 'UINT') return first
  if (type === 'INT') return (first << 16) >> 16
  const [high = 0, low = 0] = ordered([first, second], order)
  pair.writeUInt16BE(high, 0)
  pair.writeUInt16BE(low, 2)
  if (type === 'REAL') return pair.readFloatBE()
  return type === 'DINT' ? pair.readInt32BE() : pair.readUInt32BE()
}

/** Whether the lower byte of a register is the higher one of its value. */
export const swapsBytes = (order: WordOrder): boolean => order === 'BADC' || order === 'DCBA'

/** Each order is its own inverse. */
function ordered([one, other]: readonly [number, number], order: WordOrder): number[] {
  switch (order) {
    case 'ABCD':
      return [one, other]
    case 'CDAB':
      return [other, one]
    case 'BADC':
      return [swapped(one), swapped(other)]
    case 'DCBA':
      return [swapped(other), swapped(one)]
  }
}

const swapped = (word: number) => ((word & 255) << 8) | (word >> 8)

/** Bytes, two in a register; 0 behind them. */
export function registersOfBytes(bytes: Uint8Array, count: number, order: TextOrder): number[] {
  return Array.from({ length: count }, (_, index) => {
    const word = ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)
    return order === 'first-high' ? word : swapped(word)
  })
}
