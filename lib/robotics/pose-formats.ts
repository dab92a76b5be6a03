import type { Axis } from './pose'

/** A format described by words: `custom:zyz moving deg mm`. */
export type CustomFormatId = `custom:${string}`

/** Prefix of the id of a described format. */
export const customPrefix = 'custom:'

const ranges = { deg: [-180, 180], rad: [-Math.PI, Math.PI] } as const

const grammar =
  /^(?:(?:(?:xyz|xzy|yxz|yzx|zxy|zyx|xyx|xzx|yxy|yzy|zxz|zyz)(?: +(?:moving|fixed))?(?: +(?:deg|rad))?|wxyz|xyzw|vector(?: +(?:deg|rad))?)(?: +(?:mm|m))?)?$/

/**
 * Grammar of a description, as a regular expression for a whole text: first the rotation, then, in this order and each
 * optional, `moving` (default) or `fixed` axes, `deg` (default) or `rad`, `mm` (default) or `m`. The rotation is
 * - three of x y z, no two neighbours equal: the axes in the order in which the robot turns, and writes the angles;
 * - `wxyz` or `xyzw`: a quaternion in that order;
 * - `vector`: axis times angle, in radians unless `deg` follows.
 * An empty text matches too: a dialog requires it only where it applies.
 */
export const customPattern = grammar.source

/**
 * The format of a description; its numbers are x y z and a b c, a quaternion's qw qx qy qz, a vector's rx ry rz.
 * @param description as in `customPattern`, in any case @returns undefined if it describes no format
 */
export function customFormat(description: string): PoseFormat | undefined {
  const text = description.trim().toLowerCase()
  if (!text || !grammar.test(text)) return undefined
  const [rotation = '', ...others] = text.split(/ +/)
  const length: LengthUnit = others.includes('m') ? 'm' : 'mm'
  const positions = ['x', 'y', 'z'].map((name): PoseNumber => ({ name, unit: 'length' }))
  const unit = others.includes('rad') || (rotation === 'vector' && !others.includes('deg')) ? 'rad' : 'deg'
  return {
    id: `${customPrefix}${[rotation, ...others].join(' ')}`,
    maker: [rotation, ...others].join(' '),
    length,
    ...rotated(positions, rotation, unit, others.includes('fixed')),
  }
}

function rotated(
  positions: readonly PoseNumber[],
  rotation: string,
  unit: 'deg' | 'rad',
  isFixed: boolean,
): Pick<PoseFormat, 'numbers' | 'rotation'> {
  const range = ranges[unit]
  const angles = (names: string): PoseNumber[] => Array.from(names, (name) => ({ name, unit, range }))
  if (rotation === 'vector')
    return {
      numbers: [...positions, ...angles('xyz').map((angle) => ({ ...angle, name: `r${angle.name}` }))],
      rotation: { kind: 'rotation-vector' },
    }
  if (rotation === 'wxyz' || rotation === 'xyzw') {
    const order = Array.from(rotation) as unknown as (Rotation & { kind: 'quaternion' })['order']
    const parts = order.map((part): PoseNumber => ({ name: `q${part}`, unit: '1', range: [-1, 1] }))
    return { numbers: [...positions, ...parts], rotation: { kind: 'quaternion', order } }
  }
  const [first, second, third] = Array.from(rotation).map(
    (axis, index) => [axis as Axis, 'abc'[index] ?? ''] as const,
  )
  if (!first || !second || !third) throw new RangeError(`${rotation}: not three axes`)
  // Turns about fixed axes are the same as turns about moving axes in the opposite order.
  const turns = isFixed ? ([third, second, first] as const) : ([first, second, third] as const)
  return { numbers: [...positions, ...angles('abc')], rotation: { kind: 'euler', turns } }
}

const euler = (...turns: readonly [Turn, Turn, Turn]): Rotation => ({ kind: 'euler', turns })
const half = [-180, 180] as const
const quarter = [-90, 90] as const

const positions = (names: string): PoseNumber[] =>
  names.split(' ').map((name) => ({ name, unit: 'length' as const }))
const angles = (...ranges: (readonly [string, readonly [number, number]])[]): PoseNumber[] =>
  ranges.map(([name, range]) => ({ name, unit: 'deg' as const, range }))
const plain = (names: string): PoseNumber[] =>
  names.split(' ').map((name) => ({ name, unit: '1' as const, range: [-1, 1] as const }))
const rotationVector = [...positions('x y z'), ...radians('rx ry rz')]

function radians(names: string): PoseNumber[] {
  return names.split(' ').map((name) => ({ name, unit: 'rad' as const, range: [-Math.PI, Math.PI] as const }))
}

const matrixNumbers = [1, 2, 3, 4].flatMap((column) =>
  [1, 2, 3, 4].map((row): PoseNumber => {
    const name = `m${row}${column}`
    return column === 4 && row < 4 ? { name, unit: 'length' } : { name, unit: '1', range: [-1, 1] }
  }),
)

/** The pose formats of robot makers, as their controllers display and send them. */
export const poseFormats = [
  {
    id: 'device',
    maker: 'Device',
    length: 'm',
    numbers: [...positions('x y z'), ...plain('qx qy qz qw')],
    rotation: { kind: 'quaternion', order: ['x', 'y', 'z', 'w'] },
  },
  {
    id: 'abb',
    maker: 'ABB',
    length: 'mm',
    numbers: [...positions('x y z'), ...plain('q1 q2 q3 q4')],
    rotation: { kind: 'quaternion', order: ['w', 'x', 'y', 'z'] },
  },
  {
    id: 'fanuc',
    maker: 'FANUC',
    length: 'mm',
    numbers: [...positions('X Y Z'), ...angles(['W', half], ['P', half], ['R', half])],
    rotation: euler(['z', 'R'], ['y', 'P'], ['x', 'W']),
  },
  {
    id: 'kuka',
    maker: 'KUKA',
    length: 'mm',
    numbers: [...positions('X Y Z'), ...angles(['A', half], ['B', quarter], ['C', half])],
    rotation: euler(['z', 'A'], ['y', 'B'], ['x', 'C']),
  },
  {
    id: 'yaskawa',
    maker: 'Yaskawa',
    length: 'mm',
    numbers: [...positions('X Y Z'), ...angles(['Rx', half], ['Ry', half], ['Rz', half])],
    rotation: euler(['z', 'Rz'], ['y', 'Ry'], ['x', 'Rx']),
  },
  {
    id: 'mitsubishi',
    maker: 'Mitsubishi',
    length: 'mm',
    numbers: [...positions('X Y Z'), ...angles(['A', half], ['B', half], ['C', half])],
    rotation: euler(['z', 'C'], ['y', 'B'], ['x', 'A']),
  },
  {
    id: 'kawasaki',
    maker: 'Kawasaki',
    length: 'mm',
    numbers: [...positions('X Y Z'), ...angles(['O', half], ['A', [0, 180]], ['T', half])],
    rotation: euler(['z', 'O'], ['y', 'A'], ['z', 'T']),
  },
  {
    id: 'staubli',
    maker: 'Stäubli',
    length: 'mm',
    numbers: [...positions('X Y Z'), ...angles(['Rx', half], ['Ry', quarter], ['Rz', half])],
    rotation: euler(['x', 'Rx'], ['y', 'Ry'], ['z', 'Rz']),
  },
  {
    id: 'universal-robots',
    maker: 'Universal Robots',
    variant: 'script',
    length: 'm',
    numbers: rotationVector,
    rotation: { kind: 'rotation-vector' },
  },
  {
    id: 'universal-robots-pendant',
    maker: 'Universal Robots',
    variant: 'pendant',
    length: 'mm',
    numbers: rotationVector,
    rotation: { kind: 'rotation-vector' },
  },
  {
    id: 'franka-matrix',
    maker: 'Franka',
    variant: 'matrix',
    length: 'm',
    numbers: matrixNumbers,
    rotation: { kind: 'matrix' },
  },
  {
    id: 'franka-angles',
    maker: 'Franka',
    variant: 'angles',
    length: 'mm',
    numbers: [...positions('x y z'), ...angles(['rx', half], ['ry', half], ['rz', half])],
    rotation: euler(['z', 'rz'], ['y', 'ry'], ['x', 'rx']),
  },
  {
    id: 'fruitcore',
    maker: 'fruitcore',
    length: 'm',
    numbers: [...positions('x y z'), ...plain('qw qx qy qz')],
    rotation: { kind: 'quaternion', order: ['w', 'x', 'y', 'z'] },
  },
  {
    id: 'techman',
    maker: 'Techman',
    length: 'mm',
    numbers: [...positions('X Y Z'), ...angles(['Rx', half], ['Ry', half], ['Rz', half])],
    rotation: euler(['z', 'Rz'], ['y', 'Ry'], ['x', 'Rx']),
  },
  {
    id: 'doosan',
    maker: 'Doosan',
    length: 'mm',
    numbers: [...positions('X Y Z'), ...angles(['A', half], ['B', half], ['C', half])],
    rotation: euler(['z', 'A'], ['y', 'B'], ['z', 'C']),
  },
] as const satisfies readonly PoseFormat[]

/** The id of one of `poseFormats`. */
export type PoseFormatId = (typeof poseFormats)[number]['id']

/** In the order of the list. */
export const poseFormatIds: readonly PoseFormatId[] = poseFormats.map(({ id }) => id)

/** A format of the list, or a described one. */
export type PoseFormatName = PoseFormatId | CustomFormatId

/** Choices of a dialog: the formats of the list, and a described one. */
export const poseFormatChoices = [...poseFormatIds, 'custom'] as const

/** @returns undefined for an unknown id or an invalid description */
export const knownPoseFormat = (id: string): PoseFormat | undefined =>
  id.startsWith(customPrefix)
    ? customFormat(id.slice(customPrefix.length))
    : poseFormats.find((each) => each.id === id)

/** @throws RangeError if there is no format with that id */
export function poseFormat(id: string): PoseFormat {
  const format = knownPoseFormat(id)
  if (format) return format
  throw new RangeError(`${id}: there is no such pose format`)
}

export const lengthUnits = ['mm', 'm'] as const
/** Unit of a robot's positions. */
export type LengthUnit = (typeof lengthUnits)[number]

/** One of the numbers that a controller shows or sends for a pose. */
export interface PoseNumber {
  name: string
  /** `length` is millimetres or metres, as the format or the caller says; 1 is a number without a unit. */
  unit: 'length' | 'deg' | 'rad' | '1'
  /** The maker's range: written numbers stay inside, numbers read outside are suspicious. */
  range?: readonly [number, number]
}

export type Rotation =
  | { kind: 'quaternion'; order: readonly ['w' | 'x', 'x' | 'y', 'y' | 'z', 'z' | 'w'] }
  /** Product of rotations, from left to right, each about an axis by the number of that name, in its unit. */
  | { kind: 'euler'; turns: readonly [Turn, Turn, Turn] }
  /** Axis times angle, in the unit of its numbers. */
  | { kind: 'rotation-vector' }
  /** Four by four numbers, column by column. */
  | { kind: 'matrix' }
type Turn = readonly [Axis, string]

/** How a robot maker writes a pose. */
export interface PoseFormat {
  id: string
  maker: string
  /** Distinguishes several formats of one maker. */
  variant?: 'angles' | 'matrix' | 'pendant' | 'script'
  /** Unit of positions, unless the caller specifies another. */
  length: LengthUnit
  numbers: readonly PoseNumber[]
  rotation: Rotation
}

/** The arm configuration that a maker writes after a pose, because the same pose can be reached in several ways. */
export interface ArmFlags {
  /** By the maker's names in an object. */
  properties: Readonly<Record<string, string | number | readonly number[]>>
  into: (text: string) => string
}

type ReadFlags = (given: unknown) => ArmFlags | undefined

/**
 * The flags of a taught or sent pose: KUKA's status and turn (S and T), FANUC's CONFIG, ABB's configuration and
 * external axes, Mitsubishi's structure flags. They are passed on unchanged: only the controller knows their meaning at
 * another pose.
 * @param given an object with the maker's names, text of the controller, or ABB's nested arrays @returns undefined if
 * there are none
 */
export const flagsIn = ({ id }: Pick<PoseFormat, 'id'>, given: unknown): ArmFlags | undefined =>
  Object.hasOwn(readers, id) ? readers[id]?.(given) : undefined

const readers: Readonly<Record<string, ReadFlags>> = {
  kuka: (given) => {
    const [status, turn] = (['S', 'T'] as const).map((name) => wholeNumber(named(given, name)))
    if (status === undefined || turn === undefined) return undefined
    return {
      properties: { S: status, T: turn },
      into: (text) => text.replace(/\}$/, `, S ${String(status)}, T ${String(turn)}}`),
    }
  },
  fanuc: (given) => {
    const config = configIn(given)
    if (config === undefined) return undefined
    return { properties: { CONFIG: config }, into: (text) => `${text}, CONFIG '${config}'` }
  },
  abb: (given) => {
    const [, , configuration, external] = groupsIn(given)
    if (configuration?.length !== 4) return undefined
    const axes = external?.length === 6 ? external : unusedAxes
    return {
      properties: { robconf: configuration, extax: axes },
      into: (text) => `${text.slice(0, -1)},[${configuration.join(',')}],[${axes.map(axisText).join(',')}]]`,
    }
  },
  mitsubishi: (given) => {
    const flags = structureFlagsIn(given)
    if (!flags) return undefined
    const [first, second] = flags
    return {
      properties: { FL1: first, FL2: second },
      into: (text) => `${text}(${String(first)},${String(second)})`,
    }
  },
}

/** RAPID's value for a missing external axis. */
const unusedAxes = Array.from({ length: 6 }, () => 9e9)
const axisText = (value: number) => (value === 9e9 ? '9E9' : String(value))

/** A value by its name in an object, or after it in a text: `S 2`, `S=2`. */
function named(given: unknown, name: 'S' | 'T'): unknown {
  if (typeof given === 'string') return (name === 'S' ? status : turn).exec(given)?.[1]
  return (Object(given) as Readonly<Record<string, unknown>>)[name]
}
const status = /\bS[\s=:]+(-?\d+)/
const turn = /\bT[\s=:]+(-?\d+)/

/** `N U T, 0, 0, 0`: wrist, arm and base, and the turns of three joints. */
const config = /\b([NF][\s,]*[UD][\s,]*[TB](?:\s*,\s*-?\d+){0,3})/

function configIn(given: unknown): string | undefined {
  const { CONFIG = given } = Object(given) as { CONFIG?: unknown }
  const text = typeof CONFIG === 'string' ? config.exec(CONFIG)?.[1] : undefined
  return text
    ?.split(',')
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .join(', ')
}

const group = /\[([^[\]]*)\]/g

/** The inner lists of a robtarget: position, orientation, configuration, external axes. */
function groupsIn(given: unknown): (readonly number[])[] {
  const { robconf, extax } = Object(given) as { robconf?: unknown; extax?: unknown }
  const lists =
    typeof given === 'string'
      ? Array.from(given.matchAll(group), ([, inner = '']) => inner.split(',').map(Number))
      : Array.isArray(given)
        ? (given as unknown[])
        : [[], [], robconf, extax]
  return lists.map((list) =>
    Array.isArray(list) && list.every((value) => typeof value === 'number' && Number.isFinite(value))
      ? (list as number[])
      : [],
  )
}

const structureFlags = /\)\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)/

function structureFlagsIn(given: unknown): readonly [number, number] | undefined {
  const { FL1, FL2 } = Object(given) as { FL1?: unknown; FL2?: unknown }
  const [first, second] =
    typeof given === 'string' ? (structureFlags.exec(given)?.slice(1) ?? []) : [FL1, FL2]
  const flags = [wholeNumber(first), wholeNumber(second)] as const
  return flags[0] === undefined || flags[1] === undefined ? undefined : [flags[0], flags[1]]
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}
