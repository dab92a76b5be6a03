import { determinant, Matrix } from 'ml-matrix'
import type { Axis } from '../euler'
import { product, type Pose, type Quaternion } from '../pose'
import { angleOf, degrees, ofRotationVector, radians } from '../quaternion'
import { scatterOf, turnBetween } from './spread'

/** A pose that would tell the calibration most. */
export interface NextPose {
  /** Index of the pose to start from. */
  from: number
  /** Of the robot's hand at that pose, to turn about. */
  axis: Axis
  /** Positive turns as a right-handed screw. */
  degrees: number
  /** The orientation that results; the position is free, as long as the grid stays in view. */
  orientation: Quaternion
}

const candidateDegrees = 20
const axes: readonly Axis[] = ['x', 'y', 'z']

/**
 * The turn about an axis of the hand that adds most to what the poses together say about rotations, from the pose in
 * their middle.
 *
 * @param axis the only one about which the robot turns. @default any
 * @returns undefined where there is no pose to start from
 */
export function nextPose(poses: readonly Pose[], axis?: Axis): NextPose | undefined {
  const from = middleOf(poses)
  const start = poses[from]
  if (!start) return undefined
  const candidates = (axis ? [axis] : axes).flatMap((each) =>
    [candidateDegrees, -candidateDegrees].map((angle): NextPose => {
      const turn = ofRotationVector({ x: 0, y: 0, z: 0, [each]: radians(angle) })
      return { from, axis: each, degrees: angle, orientation: product(start.orientation, turn) }
    }),
  )
  const gains = candidates.map(({ orientation }) => gainOf(poses, { ...start, orientation }))
  return candidates[gains.indexOf(Math.max(...gains))]
}

/** Index of the pose from which the others are turned least. */
function middleOf(poses: readonly Pose[]): number {
  const sums = poses.map((one) =>
    poses.reduce((sum, other) => sum + degrees(angleOf(turnBetween(one, other))), 0),
  )
  return sums.indexOf(Math.min(...sums))
}

/** Half a degree: an axis about which nothing turns yet counts as hardly turned and not as nothing. */
const floor = radians(0.5) ** 2

function gainOf(poses: readonly Pose[], added: Pose): number {
  const all = [...poses, added]
  const turns = all.flatMap((one, index) => all.slice(index + 1).map((other) => turnBetween(one, other)))
  return Math.log(determinant(scatterOf(turns).add(Matrix.eye(3).mul(floor))))
}
