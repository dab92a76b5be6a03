import {
  eulerOf,
  ofEuler,
  type EulerAxes,
  canonical,
  degrees,
  normalized,
  ofRotationVector,
  radians,
  rotationVectorOf,
} from '../robotics/rotation'
import { lengthOf, type Quaternion } from '../robotics/pose'

/** How the four rotation numbers of a message are to be read. */
export type WireFormat =
  | { kind: 'quaternion'; order: readonly ('w' | 'x' | 'y' | 'z')[] }
  /** Axis times angle in radians, the fourth number 0. */
  | { kind: 'rotation-vector' }
  /**
   * R = R_axes[0] · R_axes[1] · R_axes[2]. Forward, the first number belongs to the first of these axes; backward, to the
   * last one. The fourth number is 0.
   */
  | { kind: 'euler'; axes: EulerAxes; backward: boolean; unit: 'deg' | 'rad' }

/** Axis orders of formats 4 to 51, four formats for each. Derived: only 24, 26 and the last number are documented. */
const orders = ['xyz', 'xzy', 'yxz', 'yzx', 'zxy', 'zyx', 'xyx', 'xzx', 'yxy', 'yzy', 'zxz', 'zyz']
const firstEuler = 4

/** Formats 1 to 51. */
const formats: ReadonlyMap<number, WireFormat> = new Map<number, WireFormat>([
  [1, { kind: 'quaternion', order: ['w', 'x', 'y', 'z'] }],
  [2, { kind: 'quaternion', order: ['x', 'y', 'z', 'w'] }],
  [3, { kind: 'rotation-vector' }],
  ...orders.flatMap((order, block) =>
    [0, 1, 2, 3].map((kind): [number, WireFormat] => [
      firstEuler + 4 * block + kind,
      {
        kind: 'euler',
        axes: Array.from(order) as unknown as EulerAxes,
        backward: kind >= 2,
        unit: kind % 2 === 0 ? 'deg' : 'rad',
      },
    ]),
  ),
])

/** The format of that number, 1 to 51; undefined for any other number. */
export const wireFormat = (number: number): WireFormat | undefined => formats.get(number)

/** Formats whose layout real robot programs confirm; the layout of the others is derived. */
export const confirmedFormats: readonly number[] = [1, 2, 24, 26]

/** Four numbers, unscaled: parts of a quaternion, radians or degrees. */
export type RotationNumbers = readonly [number, number, number, number]

/** The rotation numbers of a unit quaternion. */
export function rotationNumbers(format: WireFormat, rotation: Quaternion): RotationNumbers {
  switch (format.kind) {
    case 'quaternion':
      return format.order.map((part) => rotation[part]) as unknown as RotationNumbers
    case 'rotation-vector': {
      const { x, y, z } = rotationVectorOf(canonical(rotation))
      return [x, y, z, 0]
    }
    case 'euler': {
      const angles = eulerOf(format.axes, rotation).map((angle) =>
        format.unit === 'deg' ? degrees(angle) : angle,
      )
      const [first = 0, second = 0, third = 0] = format.backward ? angles.reverse() : angles
      return [first, second, third, 0]
    }
  }
}

/** The rotation of four numbers, of length one; undefined for a quaternion of length zero, which is no rotation. */
export function rotationOf(format: WireFormat, numbers: RotationNumbers): Quaternion | undefined {
  const [first, second, third] = numbers
  switch (format.kind) {
    case 'quaternion': {
      const rotation: Quaternion = { w: 0, x: 0, y: 0, z: 0 }
      format.order.forEach((part, index) => (rotation[part] = numbers[index] ?? 0))
      return lengthOf(rotation) > 0 ? normalized(rotation) : undefined
    }
    case 'rotation-vector':
      return ofRotationVector({ x: first, y: second, z: third })
    case 'euler': {
      const given = format.unit === 'deg' ? [first, second, third].map(radians) : [first, second, third]
      const [a = 0, b = 0, c = 0] = format.backward ? given.reverse() : given
      return ofEuler(format.axes, [a, b, c])
    }
  }
}
