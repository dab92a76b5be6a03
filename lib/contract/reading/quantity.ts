type Quantity = Understood | Refused

interface Understood {
  value: number
  /** The interpretation, `0.02 m = 20 mm`; missing if the text is that number itself. */
  understood?: string
}

type Refused =
  | { refused: 'number' }
  /** Its separators are ambiguous. */
  | { refused: 'readings'; readings: readonly [string, string] }
  /** The unit does not fit; `units` are those that do, empty for a plain number. */
  | { refused: 'unit'; given: string; units: readonly string[] }

const longest = 64 // characters
const precise = 15 // significant digits after which a conversion only adds rounding errors

/**
 * Reads a number with its unit as typed: `5 ms`, `20 µs`, `0.5 m`, `30°`, `1,5`. A number without a unit is in the
 * field's unit. A comma followed by exactly three digits, or several separators, are ambiguous and refused. @param unit
 * of the field; empty for a plain number
 */
export function quantity(text: string, unit: string): Quantity {
  const typed = text.trim()
  const numeral = typed.length > longest ? undefined : numeralIn(typed)
  if (!numeral || /\d/.test(numeral.rest)) return { refused: 'number' }
  const { readings, power, rest } = numeral
  const given = rest.trim()
  const isOwn = given === '' || given === unit
  const fieldUnit = unitNamed(unit)
  const from = isOwn ? fieldUnit : unitGiven(given, unit)
  if (!isOwn && !from) return { refused: 'unit', given, units: unitsFor(unit) }
  const [number = '', other] = readings.map((reading) => String(Number(`${reading}e${power}`)))
  if (other !== undefined && other !== number)
    return {
      refused: 'readings',
      readings: [number, other].map((reading) => `${reading} ${given}`.trim()) as [string, string],
    }
  const value =
    from && fieldUnit && from !== fieldUnit
      ? converted(readings[0] ?? '', power, from, fieldUnit)
      : Number(number)
  if (!Number.isFinite(value)) return { refused: 'number' }
  const isSame = from === fieldUnit && !typed.includes(',')
  return isSame ? { value } : { value, understood: `${typed} = ${String(value)} ${unit}`.trim() }
}

interface Size {
  power: number
  factor?: number
}

function converted(number: string, power: number, from: Size, to: Size): number {
  const exact = Number(`${number}e${power + from.power - to.power}`)
  const factor = (from.factor ?? 1) / (to.factor ?? 1)
  return factor === 1 ? exact : Number((exact * factor).toPrecision(precise))
}

interface Numeral {
  /** As JavaScript writes numbers without an exponent; two if the separators are ambiguous. */
  readings: readonly string[]
  /** Power of ten: 3 in `1e3`. */
  power: number
  rest: string
}

/** The number at the beginning of a text, in one pass; undefined if there is none. */
export function numeralIn(text: string): Numeral | undefined {
  const signed = '+-−'.includes(text.charAt(0)) && text !== ''
  const start = signed ? 1 : 0
  let end = start
  while (isDigit(text.charAt(end)) || isSeparator(text.charAt(end))) end++
  const readings = readingsOf(text.slice(start, end))
  if (!readings.length) return undefined
  const sign = signed && !text.startsWith('+') ? '-' : ''
  const after = exponentEnd(text, end)
  return {
    readings: readings.map((reading) => sign + reading),
    power: after > end ? Number(text.slice(end + 1, after).replace('−', '-')) : 0,
    rest: text.slice(after),
  }
}

/** End of an exponent such as `e-3`; the start position if there is none, as before the unit `em`. */
function exponentEnd(text: string, start: number): number {
  if (!'eE'.includes(text.charAt(start) || ' ')) return start
  let end = start + 1
  if ('+-−'.includes(text.charAt(end) || ' ')) end++
  const digits = end
  while (isDigit(text.charAt(end))) end++
  return end > digits ? end : start
}

function readingsOf(given: string): string[] {
  const parts = given.split(/[.,]/)
  const digits = parts.join('')
  if (digits === '') return []
  const [whole = '', ...others] = parts
  if (!others.length) return [digits]
  const decimal = `${whole || '0'}.${others.join('') || '0'}`
  if (others.length === 1) {
    const isOpen = given.includes(',') && others[0]?.length === 3
    return isOpen ? [decimal, digits] : [decimal]
  }
  // With both points and commas, one kind groups digits. With one kind only, either all of them group, or the first is
  // the decimal separator.
  const isMixed = given.includes('.') && given.includes(',')
  const last = others.at(-1) ?? ''
  const grouped = isMixed ? `${digits.slice(0, digits.length - last.length) || '0'}.${last || '0'}` : digits
  return [grouped, decimal]
}

const isDigit = (character: string) => character >= '0' && character <= '9'
const isSeparator = (character: string) => character === '.' || character === ','

/** Values of one kind can be converted into each other. */
interface Unit {
  symbol: string
  kind: UnitKind
  /** Size in the base unit of its kind: `factor * 10 ** power`; the power is separate, so that millimetres stay exact. */
  power: number
  /** @default 1 */
  factor?: number
  also?: readonly string[]
}

type UnitKind = 'length' | 'time' | 'angle' | 'rate' | 'data' | 'gain' | 'pixels'

/** Base units: metre, second, degree, hertz, byte, decibel, pixel. */
const units: readonly Unit[] = [
  { symbol: 'm', kind: 'length', power: 0 },
  { symbol: 'cm', kind: 'length', power: -2 },
  { symbol: 'mm', kind: 'length', power: -3 },
  { symbol: 'µm', kind: 'length', power: -6, also: ['μm', 'um'] },
  { symbol: 's', kind: 'time', power: 0, also: ['sec'] },
  { symbol: 'ms', kind: 'time', power: -3 },
  { symbol: 'µs', kind: 'time', power: -6, also: ['μs', 'us'] },
  { symbol: 'min', kind: 'time', power: 0, factor: 60 },
  { symbol: 'h', kind: 'time', power: 0, factor: 3600 },
  { symbol: '°', kind: 'angle', power: 0, also: ['deg', 'º'] },
  { symbol: 'rad', kind: 'angle', power: 0, factor: 180 / Math.PI },
  { symbol: 'Hz', kind: 'rate', power: 0, also: ['1/s', '/s'] },
  { symbol: 'kHz', kind: 'rate', power: 3 },
  { symbol: 'B', kind: 'data', power: 0 },
  { symbol: 'kB', kind: 'data', power: 3 },
  { symbol: 'MB', kind: 'data', power: 6 },
  { symbol: 'GB', kind: 'data', power: 9 },
  { symbol: 'KiB', kind: 'data', power: 0, factor: 2 ** 10 },
  { symbol: 'MiB', kind: 'data', power: 0, factor: 2 ** 20 },
  { symbol: 'GiB', kind: 'data', power: 0, factor: 2 ** 30 },
  { symbol: 'dB', kind: 'gain', power: 0 },
  { symbol: 'px', kind: 'pixels', power: 0 },
]

/** A unit that is not in the table cannot be converted. */
const unitNamed = (name: string): Unit | undefined =>
  units.find(({ symbol, also = [] }) => symbol === name || also.includes(name))

/** The units that a field accepts, its own first; none for a plain number. */
export function unitsFor(field: string): readonly string[] {
  const fieldUnit = unitNamed(field)
  if (!fieldUnit) return field ? [field] : []
  const others = units.filter((unit) => unit !== fieldUnit && unit.kind === fieldUnit.kind)
  return [fieldUnit, ...others].map(({ symbol }) => symbol)
}

/** The unit as typed, `MM` for `mm` too. */
function unitGiven(given: string, field: string): Unit | undefined {
  const { kind } = unitNamed(field) ?? {}
  const exact = unitNamed(given)
  if (exact) return exact.kind === kind ? exact : undefined
  const small = given.toLowerCase()
  return units.find(
    ({ kind: other, symbol, also = [] }) =>
      other === kind && [symbol, ...also].some((name) => name.toLowerCase() === small),
  )
}
