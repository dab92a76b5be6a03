import type { PlcType } from '../rows'
import { fitted, isNumberType, numberTypes } from './fit'
import { nothing } from './raw-value'
import { RowLabel } from './row-label'
import type { Slot } from './slots'

/** A value as its type holds it. */
export type PlcValue = boolean | number | string | Uint8Array

/** Why a value does not fit. */
export type ValueProblem = 'range' | 'not-a-number' | 'missing' | 'kind' | 'length' | 'characters'

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
