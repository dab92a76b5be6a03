/** A unit of measurement. Values of one kind can be converted into each other. */
export interface Unit {
  symbol: string
  kind: UnitKind
  /**
   * Its size in the base unit of its kind: `factor * 10 ** power`; the power is separate, so that millimetres stay
   * exact.
   */
  power: number
  /** @default 1 */
  factor?: number
  /** Other spellings used by people and devices. */
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

/** The unit with this name, `deg`; a unit that is not in the table cannot be converted. */
export const unitNamed = (name: string): Unit | undefined =>
  units.find(({ symbol, also = [] }) => symbol === name || also.includes(name))

/** The units that a field accepts, its own first; none for a plain number. */
export function unitsFor(field: string): readonly string[] {
  const own = unitNamed(field)
  if (!own) return field ? [field] : []
  const others = units.filter((unit) => unit !== own && unit.kind === own.kind)
  return [own, ...others].map(({ symbol }) => symbol)
}

/** The unit that somebody has typed in a field, `MM` for `mm` too. */
export function unitGiven(given: string, field: string): Unit | undefined {
  const { kind } = unitNamed(field) ?? {}
  const exact = unitNamed(given)
  if (exact) return exact.kind === kind ? exact : undefined
  const small = given.toLowerCase()
  return units.find(
    ({ kind: other, symbol, also = [] }) =>
      other === kind && [symbol, ...also].some((name) => name.toLowerCase() === small),
  )
}
