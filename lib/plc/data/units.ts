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
export type Quantity = 'length' | 'angle' | 'time' | 'number'

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

export const quantityOf = (unit: string): Quantity | undefined =>
  (['length', 'angle', 'time'] as const).find((quantity) => Object.hasOwn(units[quantity], unit))
