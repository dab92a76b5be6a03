import {
  poseFormat,
  type LengthUnit,
  type PoseFormat,
  type PoseFormatId,
  type PoseNumber,
} from './pose-formats'
import type { ConversionOptions } from './read-pose'

/** The numbers under the maker's names; for the device's own format, as the device writes a pose. */
export function namedNumbers(id: PoseFormatId | PoseFormat, numbers: readonly number[]): object {
  const format = typeof id === 'string' ? poseFormat(id) : id
  const named = format.numbers.map(({ name }, index) => [name, numbers[index] ?? NaN] as const)
  if (format.id !== 'device') return Object.fromEntries(named)
  return {
    position: Object.fromEntries(named.slice(0, 3)),
    orientation: Object.fromEntries(named.slice(3).map(([name, value]) => [name.slice(1), value])),
  }
}

/**
 * A pose as text for a controller of that format, or for a person in front of it: `{X 100, Y 0, …}` for KUKA,
 * `[[100,0,500],[1,0,0,0]]` for ABB, `p[0.1,0,0.5,0,3.14159,0]` for Universal Robots. Rounded to a micrometre and a
 * tenth of a thousandth of a degree.
 */
export function poseText(
  id: PoseFormatId | PoseFormat,
  numbers: readonly number[],
  { length }: ConversionOptions = {},
): string {
  const format = typeof id === 'string' ? poseFormat(id) : id
  const shown = format.numbers.map((number, index) =>
    decimalText(numbers[index] ?? NaN, digitsOf(number, length ?? format.length)),
  )
  const write = Object.hasOwn(writers, format.id) ? writers[format.id as PoseFormatId] : separated
  return write(
    shown,
    format.numbers.map(({ name }) => name),
  )
}

type Write = (shown: readonly string[], names: readonly string[]) => string

const separated: Write = (shown) => shown.join(', ')
const named: Write = (shown, names) => shown.map((number, index) => `${names[index]} ${number}`).join(', ')

const writers: Record<PoseFormatId, Write> = {
  device: (shown) => {
    const [x, y, z, qx, qy, qz, qw] = shown
    return `{"position":{"x":${x},"y":${y},"z":${z}},"orientation":{"x":${qx},"y":${qy},"z":${qz},"w":${qw}}}`
  },
  abb: (shown) => `[[${shown.slice(0, 3).join(',')}],[${shown.slice(3).join(',')}]]`,
  fanuc: named,
  kuka: (shown, names) => `{${named(shown, names)}}`,
  kawasaki: named,
  mitsubishi: (shown) => `(${shown.join(',')})`,
  staubli: (shown) => `{${shown.join(',')}}`,
  'universal-robots': (shown) => `p[${shown.join(',')}]`,
  'universal-robots-pendant': named,
  'franka-matrix': (shown) => `[${shown.join(',')}]`,
  'franka-angles': separated,
  fruitcore: separated,
  yaskawa: separated,
  techman: (shown) => `{${shown.join(',')}}`,
  doosan: (shown) => `posx(${shown.join(',')})`,
}

const digits = { mm: 3, m: 6, deg: 4, rad: 6, '1': 8 } as const

const digitsOf = ({ unit }: PoseNumber, length: LengthUnit) => digits[unit === 'length' ? length : unit]

/** A number without trailing zeros, without -0 and without an exponent, which few controllers read. */
export function decimalText(value: number, places: number): string {
  const text = value.toFixed(places)
  let end = text.length
  while (text[end - 1] === '0') end--
  if (text[end - 1] === '.') end--
  const short = text.slice(0, end)
  return short === '-0' || short === '' ? '0' : short
}
