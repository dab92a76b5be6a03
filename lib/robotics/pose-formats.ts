export { lengthUnits, type LengthUnit, type PoseFormat, type PoseNumber, type Rotation } from './pose-format'
import { customFormat, customPrefix, type CustomFormatId } from './custom-format'
import type { PoseFormat, PoseNumber, Rotation, Turn } from './pose-format'

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

/** Names of the elements, row and column, in column order; the position is the last column. */
const matrixNumbers = [1, 2, 3, 4].flatMap((column) =>
  [1, 2, 3, 4].map((row): PoseNumber => {
    const name = `m${row}${column}`
    return column === 4 && row < 4 ? { name, unit: 'length' } : { name, unit: '1', range: [-1, 1] }
  }),
)

/** How robot makers write poses, each as its controllers display and send them. */
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

/** The formats of the list, in its order. */
export const poseFormatIds: readonly PoseFormatId[] = poseFormats.map(({ id }) => id)

/** The id of a format of the list, or one described by words. */
export type PoseFormatName = PoseFormatId | CustomFormatId

/** What a dialog offers: the formats of the list, and one described by words. */
export const poseFormatChoices = [...poseFormatIds, 'custom'] as const

/** @returns undefined if there is no format with that id, or if the words after `custom:` describe none */
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
