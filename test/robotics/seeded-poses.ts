import fc from 'fast-check'
import {
  composed,
  inverted,
  ofRotationVector,
  product,
  radians,
  type Axis,
  type HandEyeObservation,
  type Pose,
  normalized,
  ofEuler,
  type EulerAxes,
  type Quaternion,
} from '../../lib/robotics'
import { seededRandom } from '../../virtual-device/values'

export const turned = (axis: Axis, angleDegrees: number, x = 0, y = 0, z = 0): Pose => ({
  position: { x, y, z },
  orientation: ofRotationVector({ x: 0, y: 0, z: 0, [axis]: radians(angleDegrees) }),
})

export const camera: Pose = {
  position: { x: 0.04, y: -0.03, z: 0.12 },
  orientation: ofRotationVector({ x: 0.1, y: -0.2, z: 1.5 }),
}

export const grid: Pose = {
  position: { x: 0.7, y: 0.1, z: 0.05 },
  orientation: ofRotationVector({ x: 0.2, y: 0.1, z: -0.4 }),
}

/** What a camera sees from these robot poses, without noise. */
export const seenFrom = (robots: readonly Pose[], robotMounted: boolean): HandEyeObservation[] =>
  robots.map((robot) => ({
    robot,
    grid: robotMounted
      ? composed(inverted(composed(robot, camera)), grid)
      : composed(inverted(camera), composed(robot, grid)),
  }))

/** The same observations with normally distributed errors; metres and degrees. */
export function noisy(
  observations: readonly HandEyeObservation[],
  seed: number,
  metres = 0.0003,
  angleDegrees = 0.05,
): HandEyeObservation[] {
  const random = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const any = (size: number) => ({ x: size * normal(), y: size * normal(), z: size * normal() })
  return observations.map(({ robot, grid: { position, orientation } }) => {
    const move = any(metres)
    return {
      robot,
      grid: {
        position: { x: position.x + move.x, y: position.y + move.y, z: position.z + move.z },
        orientation: product(orientation, ofRotationVector(any(radians(angleDegrees)))),
      },
    }
  })
}

/** Poses of a robot with four degrees of freedom, whose hand points down and turns about its z axis. */
export const fourAxisPoses = (count: number, seed = 1): Pose[] => {
  const random = seededRandom(seed)
  const down = ofRotationVector({ x: Math.PI, y: 0, z: 0 })
  return Array.from({ length: count }, () => ({
    position: { x: 0.5 + 0.3 * random(), y: 0.3 * random(), z: 0.4 + 0.1 * random() },
    orientation: product(down, ofRotationVector({ x: 0, y: 0, z: 2 * random() - 1 })),
  }))
}

/** Poses of a full robot, rotated about all axes by up to `spreadDegrees` from the middle. */
export const fullPoses = (count: number, spreadDegrees: number, seed = 1): Pose[] => {
  const random = seededRandom(seed)
  const any = (size: number) => ({
    x: size * (2 * random() - 1),
    y: size * (2 * random() - 1),
    z: size * (2 * random() - 1),
  })
  const down = ofRotationVector({ x: Math.PI, y: 0, z: 0 })
  return Array.from({ length: count }, () => ({
    position: { ...any(0.1), x: 0.6 + 0.1 * random() },
    orientation: product(down, ofRotationVector(any(radians(spreadDegrees)))),
  }))
}

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
