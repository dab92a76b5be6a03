/** Reads and writes the numbers of poses of robots and devices: in texts, arrays and objects. */
import {
  type Pose,
  type Quaternion,
  type Vector,
  canonical,
  degrees,
  type EulerAngles,
  type EulerAxes,
  eulerOf,
  homogeneousOf,
  isUnit,
  normalized,
  ofEuler,
  ofRotationVector,
  poseOfHomogeneous,
  radians,
  rotationVectorOf,
} from './pose'
import {
  type LengthUnit,
  poseFormat,
  type PoseFormat,
  type PoseFormatId,
  type PoseNumber,
  type Rotation,
} from './pose-formats'

interface PoseNumbers {
  /** In the order of the format: fewer if some are missing, more if there are too many, NaN for other values. */
  numbers: number[]
  /** The first ambiguous number as written, with its readings. */
  ambiguous?: { text: string; readings: readonly [string, string] }
}

/**
 * Reads the numbers of a pose from a controller or a flow: an array (nested or not), an object with the format's names,
 * or text with names (`{X 100, Y 0, Z 500, A 0, B 90, C 180}`) or without (`p[0.1, 0, 0.5, 0, 3.14, 0]`). Beside the
 * pose only named values are allowed, such as status and external axes, and, after it, values in brackets of their own,
 * such as ABB's configuration. A decimal comma is accepted where it is unambiguous.
 */
export function readNumbers(format: PoseFormatId | PoseFormat, given: unknown): PoseNumbers {
  const known = typeof format === 'string' ? poseFormat(format) : format
  if (typeof given === 'string') {
    const parsed = jsonIn(given)
    return parsed === undefined ? readText(known, given) : readNumbers(known, parsed)
  }
  if (Array.isArray(given)) return decided(elements(given, known.numbers.length))
  if (typeof given === 'object' && given !== null) return decided(membersOf(known, given))
  return { numbers: [] }
}

/** The numbers of `readNumbers`. */
export const numbersIn = (format: PoseFormatId | PoseFormat, given: unknown): number[] =>
  readNumbers(format, given).numbers

/** An object or a list in JSON. */
function jsonIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

/** The numeric elements of a list: those of a pose if it ends where an inner list ends, otherwise all. */
function elements(given: readonly unknown[], count: number): unknown[] {
  const found: unknown[] = []
  const ends = new Set<number>() // ends of inner lists
  const collect = (list: readonly unknown[], depth: number) => {
    for (const each of list) {
      if (Array.isArray(each) && depth < 3) collect(each, depth + 1)
      else found.push(each)
    }
    if (depth > 0) ends.add(found.length)
  }
  collect(given, 0)
  return ends.has(count) ? found.slice(0, count) : found
}

/** After a name: a unit (`X[mm] 100`), an assignment sign, the number, perhaps with commas in it. */
const named = /(?:\s*\[\w*\])?[\s:="]*([-+]?(?:\d+(?:[.,]\d+)*\.?|[.,]\d+)(?:[eE][-+]?\d+)?)/y

function readText({ numbers }: PoseFormat, text: string): PoseNumbers {
  const found = numbers.map(({ name, unit }) => ({ unit, value: numberAfter(name, text) }))
  const values = found.flatMap(({ value }) => (value === undefined ? [] : [value]))
  // Names besides those of the position are another maker's, whose numbers have another order.
  const isNamed = found.every(({ unit, value }) => unit !== 'length' || value !== undefined)
  return isNamed ? decided(values) : readUnnamed(text, numbers.length)
}

/** After the first occurrence of the name that has a number; undefined if there is none. */
function numberAfter(name: string, text: string): string | undefined {
  for (const [wanted, within] of [
    [name, text],
    [name.toLowerCase(), text.toLowerCase()],
  ] as const)
    for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
      if (/[\w.]/.test(text.charAt(at - 1))) continue
      named.lastIndex = at + name.length
      const [, value] = named.exec(text) ?? []
      if (value !== undefined) return value
    }
  return undefined
}

/** Numbers with separating commas, and numbers with decimal commas. */
const separated = /(?<![\w.])[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/g

const decimal = /(?<![\w.])[-+]?(?:\d+(?:,\d+)?|,\d+)(?:[eE][-+]?\d+)?/g

/** Without names, commas separate or are decimal: only the format's count decides. */
function readUnnamed(text: string, count: number): PoseNumbers {
  const between = piecesOf(text, separated, count)
  const isDecimalPossible = /\d,\d/.test(text) && !/\d[.,]\d*,\d|\d\.\d|,\d+\./.test(text)
  if (!isDecimalPossible) return decided(between.values)
  const within = piecesOf(text, decimal, count)
  if (within.values.length === count) return decided(within.values)
  // If something else separates too, commas between two digits are decimal.
  const [touching] = /(?<!\d)[-+]?\d+,\d+/.exec(text) ?? []
  if (between.values.length !== count || !between.isMixed || touching === undefined)
    return decided(between.values)
  const [one = '', other = ''] = touching.split(',')
  return {
    numbers: between.values.map(() => Number.NaN),
    ambiguous: { text: touching, readings: [`${one}.${other}`, `${one}; ${other}`] },
  }
}

/** As many numbers as the format has if a bracket closes after them, otherwise all. */
function piecesOf(text: string, pattern: RegExp, count: number) {
  const found = Array.from(text.matchAll(pattern))
  const gaps = found.slice(1).map(({ index }, at) => {
    const [before = ''] = found[at] ?? []
    return text.slice((found[at]?.index ?? 0) + before.length, index)
  })
  const isClosed = found.length > count && /[\])}]/.test(gaps[count - 1] ?? '')
  const most = isClosed ? count : found.length
  return {
    values: found.slice(0, most).map(([value]) => value),
    /** Commas separate some of the numbers, and something else the others. */
    isMixed: gaps.slice(0, most - 1).some((gap) => !gap.includes(',')),
  }
}

const oneComma = /^[-+]?(?:\d+,\d*|,\d+)(?:[eE][-+]?\d+)?$/

/** Its comma may also group thousands. */
const grouped = /^[-+]?[1-9]\d{0,2},\d{3}$/

/** If one comma must be decimal, all are. */
function decided(written: readonly unknown[]): PoseNumbers {
  const isText = (value: unknown): value is string => typeof value === 'string'
  const texts = written.map((value) => (isText(value) ? value.trim() : value))
  const isDecimal = texts.some((text) => isText(text) && oneComma.test(text) && !grouped.test(text))
  const open = isDecimal
    ? undefined
    : texts.find((text): text is string => isText(text) && grouped.test(text))
  const numbers = texts.map((value) => {
    if (typeof value === 'number') return value
    if (!isText(value) || value === '' || (!isDecimal && grouped.test(value))) return Number.NaN
    return Number(oneComma.test(value) ? value.replace(',', '.') : value)
  })
  if (open === undefined) return { numbers }
  return { numbers, ambiguous: { text: open, readings: [open.replace(',', '.'), open.replace(',', '')] } }
}

function membersOf({ numbers, rotation }: PoseFormat, given: object): unknown[] {
  const flat = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => spread(key, value as unknown)),
  )
  const byLowerCase = new Map(Object.entries(flat).map(([key, value]) => [key.toLowerCase(), value]))
  const order = rotation.kind === 'quaternion' ? rotation.order : []
  const offset = numbers.length - order.length
  const found = numbers.map(({ name }, index) => {
    const part = order[index - offset]
    // In a separate quaternion { x, y, z, w }, the components have no prefix.
    return flat[name] ?? byLowerCase.get(name.toLowerCase()) ?? (part && flat[`q${part}`])
  })
  return found.some((value) => value === undefined) ? found.filter(isNumber) : found
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Fields of a position keep their names, those of an orientation get the prefix q. */
function spread(key: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[key, value]]
  const prefix = /^(orientation|rotation|quaternion)$/i.test(key) ? 'q' : ''
  return Object.entries(value).map(([inner, part]) => [prefix + inner, part])
}

/** Options of a conversion besides the format. */
export interface ConversionOptions {
  /** Unit of the robot's positions. @default the format's own */
  length?: LengthUnit
}

type Values = Readonly<Record<string, number>>

interface RotationCodec {
  read: (values: Values) => Quaternion
  write: (orientation: Quaternion) => readonly number[]
}

/**
 * Converts a robot's numbers into a pose. @param numbers in the order of the format; any non-zero quaternion is
 * accepted
 * @returns metres and a unit quaternion with w ≥ 0; NaN if a number is missing
 */
export function poseOfNumbers(
  format: PoseFormatId | PoseFormat,
  numbers: readonly number[],
  options?: ConversionOptions,
): Pose {
  const known = resolved(format)
  const scale = metresPerUnit(known, options)
  const values = Object.fromEntries(known.numbers.map(({ name }, index) => [name, numbers[index] ?? NaN]))
  const [x = NaN, y = NaN, z = NaN] = known.numbers.flatMap(({ name, unit }) =>
    unit === 'length' ? [(values[name] ?? NaN) * scale] : [],
  )
  return { position: { x, y, z }, orientation: canonical(codecOf(known).read(values)) }
}

/**
 * Converts a pose into a robot's numbers, within the maker's ranges; in gimbal lock the first angle is 0. @param pose
 * metres; its quaternion need not have exactly length one
 */
export function numbersOfPose(
  format: PoseFormatId | PoseFormat,
  { position, orientation }: Pose,
  options?: ConversionOptions,
): number[] {
  const known = resolved(format)
  const scale = 1 / metresPerUnit(known, options)
  const lengths = [position.x, position.y, position.z].map((length) => length * scale)
  const rotation = [...codecOf(known).write(canonical(normalized(orientation)))]
  // Adding 0 turns -0 into 0.
  return known.numbers.map(({ unit }) => ((unit === 'length' ? lengths : rotation).shift() ?? NaN) + 0)
}

const resolved = (format: PoseFormatId | PoseFormat) =>
  typeof format === 'string' ? poseFormat(format) : format

const metresPerUnit = (format: PoseFormat, { length = format.length }: ConversionOptions = {}): number =>
  length === 'mm' ? 0.001 : 1

function codecOf({ numbers, rotation }: PoseFormat): RotationCodec {
  const names = numbers.flatMap(({ name, unit }) => (unit === 'length' ? [] : [name]))
  const read = (values: Values) => names.map((name) => values[name] ?? NaN)
  const angle = angleCodecs[numbers.some(({ unit }) => unit === 'rad') ? 'rad' : 'deg']
  switch (rotation.kind) {
    case 'quaternion':
      return {
        read: (values) => {
          const parts = read(values)
          const part = (which: keyof Quaternion) => parts[rotation.order.indexOf(which)] ?? NaN
          return normalized({ w: part('w'), x: part('x'), y: part('y'), z: part('z') })
        },
        write: (orientation) => rotation.order.map((part) => orientation[part]),
      }
    case 'rotation-vector':
      return {
        read: (values) => {
          const [x = NaN, y = NaN, z = NaN] = read(values).map(angle.read)
          return ofRotationVector({ x, y, z })
        },
        write: (orientation) => Object.values(rotationVectorOf(orientation)).map(angle.write),
      }
    case 'matrix':
      return matrixCodec(read)
    case 'euler':
      return eulerCodec(rotation, names, angle)
  }
}

const matrixCodec = (read: (values: Values) => number[]): RotationCodec => ({
  read: (values) => {
    const parts = read(values)
    // Three columns of four and the lower right 1; the position is read separately.
    const row = (index: number) => [...[0, 4, 8].map((column) => parts[column + index] ?? NaN), 0]
    return poseOfHomogeneous([...row(0), ...row(1), ...row(2)]).orientation
  },
  write: (orientation) => {
    const rows = homogeneousOf({ position: { x: 0, y: 0, z: 0 }, orientation })
    const column = (index: number) => [0, 4, 8, 12].map((row) => rows[row + index] ?? NaN)
    return [...column(0), ...column(1), ...column(2), 1]
  },
})

const angleCodecs = {
  deg: { read: radians, write: degrees },
  rad: { read: (value: number) => value, write: (value: number) => value },
} as const

type AngleCodec = (typeof angleCodecs)['deg' | 'rad']

function eulerCodec(
  { turns }: Rotation & { kind: 'euler' },
  names: readonly string[],
  angle: AngleCodec,
): RotationCodec {
  const axes = turns.map(([axis]) => axis) as unknown as EulerAxes
  return {
    read: (values) =>
      ofEuler(axes, turns.map(([, name]) => angle.read(values[name] ?? NaN)) as unknown as EulerAngles),
    write: (orientation) => {
      const angles = eulerOf(axes, orientation)
      return names.map((name) => angle.write(angles[turns.findIndex(([, each]) => each === name)] ?? NaN))
    },
  }
}

/** Under the maker's names; for the device's own format, as the device writes a pose. */
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
 * A pose as text for a controller of that format or its operator: `{X 100, Y 0, …}` for KUKA, `[[100,0,500],[1,0,0,0]]`
 * for ABB, `p[0.1,0,0.5,0,3.14159,0]` for Universal Robots. Rounded to a micrometre and a tenth of a thousandth of a
 * degree.
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
  const write = Object.hasOwn(writers, format.id) ? writers[format.id as PoseFormatId] : plainly
  return write(
    shown,
    format.numbers.map(({ name }) => name),
  )
}

type Write = (shown: readonly string[], names: readonly string[]) => string

const plainly: Write = (shown) => shown.join(', ')

const byName: Write = (shown, names) => shown.map((number, index) => `${names[index]} ${number}`).join(', ')

const writers: Record<PoseFormatId, Write> = {
  device: (shown) => {
    const [x, y, z, qx, qy, qz, qw] = shown
    return `{"position":{"x":${x},"y":${y},"z":${z}},"orientation":{"x":${qx},"y":${qy},"z":${qz},"w":${qw}}}`
  },
  abb: (shown) => `[[${shown.slice(0, 3).join(',')}],[${shown.slice(3).join(',')}]]`,
  fanuc: byName,
  kuka: (shown, names) => `{${byName(shown, names)}}`,
  kawasaki: byName,
  mitsubishi: (shown) => `(${shown.join(',')})`,
  staubli: (shown) => `{${shown.join(',')}}`,
  'universal-robots': (shown) => `p[${shown.join(',')}]`,
  'universal-robots-pendant': byName,
  'franka-matrix': (shown) => `[${shown.join(',')}]`,
  'franka-angles': plainly,
  fruitcore: plainly,
  yaskawa: plainly,
  techman: (shown) => `{${shown.join(',')}}`,
  doosan: (shown) => `posx(${shown.join(',')})`,
}

const digits = { mm: 3, m: 6, deg: 4, rad: 6, '1': 8 } as const

const digitsOf = ({ unit }: PoseNumber, length: LengthUnit) => digits[unit === 'length' ? length : unit]

/** Without trailing zeros, without -0 and without an exponent, which few controllers read. */
export function decimalText(value: number, places: number): string {
  const text = value.toFixed(places)
  let end = text.length
  while (text[end - 1] === '0') end--
  if (text[end - 1] === '.') end--
  const short = text.slice(0, end)
  return short === '-0' || short === '' ? '0' : short
}

const farthest = 1e6 // metres: larger numbers are no positions and may overflow

/**
 * A pose as the device writes it: `{ position: { x, y, z }, orientation: { x, y, z, w } }`, metres, with a quaternion
 * of length one within rounding. Undefined for anything else.
 */
export function devicePoseIn(value: unknown): Pose | undefined {
  const { position, orientation } = fieldsOf(value)
  const place = deviceVectorIn(position)
  const { w, x, y, z } = fieldsOf(orientation)
  const turned = { w: numberOf(w), x: numberOf(x), y: numberOf(y), z: numberOf(z) }
  // False for NaN too.
  return place && isUnit(turned) ? { position: place, orientation: normalized(turned) } : undefined
}

/** `{ x, y, z }`, metres. Undefined for anything else. */
export function deviceVectorIn(value: unknown): Vector | undefined {
  const { x, y, z } = fieldsOf(value)
  const vector = { x: numberOf(x), y: numberOf(y), z: numberOf(z) }
  return Number.isNaN(vector.x + vector.y + vector.z) ? undefined : vector
}

const fieldsOf = (value: unknown) => Object(value) as Record<string, unknown>

/** Flows and PLC texts may bring numbers as text. */
const numberOf = (value: unknown): number => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= farthest ? number : NaN
}
