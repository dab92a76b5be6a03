import type { PlcType, RowRange } from '../rows'

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
