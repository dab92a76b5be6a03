import {
  composed,
  conjugated,
  inverted,
  ofRotationVector,
  product,
  rotationVectorOf,
  type HandEyeObservation,
  type Pose,
  type Vector,
} from '../robotics'
import { differenceOf, type PoseDifference } from './misses'

/** What a calibration leaves for a later check. Metres. */
export interface CalibratedPoses {
  robotMounted: boolean
  /** As `HandEyeResult`: the camera on the hand and the grid in the base, or the other way round. */
  camera: Pose
  grid: Pose
}

/** How far the camera seems to have moved since the calibration. */
export interface CameraMovement extends PoseDifference {
  /** Where it is now, in the frame of the calibration. */
  camera: Pose
  /** The largest difference of one look from the mean of all: what the looks themselves are worth. */
  scatter: PoseDifference
  /** Whether it moved by more than the limits and the scatter. */
  moved: boolean
}

/**
 * Checks a calibration without calibrating, by two or three looks at the grid where it was then. A grid that was moved
 * looks the same as a camera that was.
 *
 * @param limits of an unmoved camera
 * @throws RangeError without two looks
 */
export function cameraMovement(
  { robotMounted, camera, grid }: CalibratedPoses,
  looks: readonly HandEyeObservation[],
  limits: PoseDifference,
): CameraMovement {
  if (looks.length < 2) throw new RangeError(`A check needs two looks at the grid, got ${looks.length}.`)
  const cameras = looks.map(({ robot, grid: seen }) => {
    const arm = robotMounted ? robot : inverted(robot)
    return composed(inverted(arm), composed(grid, inverted(seen)))
  })
  const now = meanOf(cameras, camera)
  const each = cameras.map((one) => differenceOf(now, one))
  const scatter = {
    metres: Math.max(...each.map(({ metres }) => metres)),
    degrees: Math.max(...each.map(({ degrees }) => degrees)),
  }
  const off = differenceOf(camera, now)
  const moved =
    off.metres > Math.max(limits.metres, scatter.metres) ||
    off.degrees > Math.max(limits.degrees, scatter.degrees)
  return { ...off, camera: now, scatter, moved }
}

/** @param near a pose that all are close to, so that their rotations have a mean */
function meanOf(poses: readonly Pose[], near: Pose): Pose {
  const turns = poses.map(({ orientation }) =>
    rotationVectorOf(product(conjugated(near.orientation), orientation)),
  )
  return {
    position: mean(poses.map(({ position }) => position)),
    orientation: product(near.orientation, ofRotationVector(mean(turns))),
  }
}

const mean = (vectors: readonly Vector[]): Vector => {
  const of = (axis: keyof Vector) => vectors.reduce((sum, each) => sum + each[axis], 0) / vectors.length
  return { x: of('x'), y: of('y'), z: of('z') }
}
