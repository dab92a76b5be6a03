import fc from 'fast-check'
import { normalized, ofEuler, type EulerAxes, type Pose, type Quaternion } from '../../lib/robotics'

const part = fc.double({ min: -1, max: 1, noNaN: true })

/** Any rotation, half turns and the identity included. */
export const rotation: fc.Arbitrary<Quaternion> = fc
  .tuple(part, part, part, part)
  .filter((parts) => Math.hypot(...parts) > 1e-3)
  .map(([w, x, y, z]) => normalized({ w, x, y, z }))

const metres = fc.double({ min: -5, max: 5, noNaN: true })
export const position = fc.record({ x: metres, y: metres, z: metres })

/** Rotations at gimbal lock and as close to it as floating point allows. */
export const nearGimbalLock = (axes: EulerAxes): fc.Arbitrary<Quaternion> => {
  const outer = fc.double({ min: -7, max: 7, noNaN: true })
  const locks = axes[0] === axes[2] ? [0, Math.PI] : [-Math.PI / 2, Math.PI / 2]
  const offset = fc.oneof(
    fc.constant(0),
    fc.tuple(fc.integer({ min: 1, max: 17 }), part).map(([digits, scale]) => scale * 10 ** -digits),
  )
  return fc
    .tuple(outer, fc.constantFrom(...locks), offset, outer)
    .map(([a, lock, off, c]) => ofEuler(axes, [a, lock + off, c]))
}

export const poseWith = (orientation: fc.Arbitrary<Quaternion>): fc.Arbitrary<Pose> =>
  fc.record({ position, orientation })

/** Largest difference of two poses in any number, ignoring the sign of a quaternion. */
export function difference(one: Pose, other: Pose): number {
  const [p, q] = [one.position, other.position]
  const [a, b] = [one.orientation, other.orientation]
  const sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1
  return Math.max(
    ...(['x', 'y', 'z'] as const).map((axis) => Math.abs(p[axis] - q[axis])),
    ...(['w', 'x', 'y', 'z'] as const).map((each) => Math.abs(a[each] - sign * b[each])),
  )
}

/** Asserts a property for a seeded run of values; ten times as many in the long tests. */
export function holds<T>(property: fc.IProperty<T>, runs = 100): void {
  fc.assert(property, { seed: 1, numRuns: process.env.CELLSIGHT_LONG ? 10 * runs : runs })
}
