/** Further results of grid observations: whether the camera has moved since, and which mistake is in recorded poses. */
import {
  angleOf,
  composed,
  conjugated,
  type HandEyeObservation,
  type HandEyeOptions,
  inverted,
  ofRotationVector,
  type Outlier,
  outliers,
  type Pose,
  product,
  rotationVectorOf,
  setMisfit,
  setMistake,
  type SetMistake,
  solveHandEye,
  type Vector,
} from '../robotics'
import { differenceOf, type PoseDifference } from './procedure'

/** Stored by a calibration for a later check. Metres. */
export interface CalibratedPoses {
  robotMounted: boolean
  /** As `HandEyeResult`: the camera on the hand and the grid in the base, or the other way round. */
  camera: Pose
  grid: Pose
}

/** Apparent movement of the camera since the calibration. */
export interface CameraMovement extends PoseDifference {
  /** Its current pose, in the frame of the calibration. */
  camera: Pose
  /** Largest difference of one observation from the mean. */
  scatter: PoseDifference
  /** Beyond the limits and the scatter. */
  moved: boolean
}

/**
 * Checks a calibration without calibrating, by two or three observations of the grid where it was then. A grid that was
 * moved looks the same as a camera that was. @param limits of an unmoved camera @throws RangeError for fewer than two
 * observations
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

/** What is wrong with recorded poses. */
export type PosesMistake =
  /** All of them, as a wrong unit or a wrong grid size. */
  | { kind: 'set'; mistake: SetMistake }
  /** One of them, as a wrong digit. */
  | {
      kind: 'pose'
      index: number
      outlier: Outlier
      /** The hand's pose according to all other poses, and its distance from the recorded pose. */
      expected: Pose
      off: PoseDifference
    }

/**
 * Finds the mistake that explains why robot poses and observations do not fit: tries each usual mistake on the data,
 * and reports the one without which everything fits. The pose of a grid without a marked corner may be turned by half a
 * turn. @returns undefined if everything fits, if no mistake explains it, or for fewer than five poses
 */
export function mistakeInPoses(
  given: readonly HandEyeObservation[],
  options: HandEyeOptions,
): PosesMistake | undefined {
  const observations = turnedAlike(given)
  const whole = setMistake(observations, options)
  const bad = outliers(observations, options)
  const inliers = observations.filter((_, at) => bad.every(({ index }) => index !== at))
  // A pose that is far off can look like a wrong unit or grid size: the rest then fits better as it is.
  const isWhole = whole && whole.kind !== 'grid-size' && setMisfit(inliers, options) > whole.misfitWithout
  const mistake = isWhole || !bad.length ? whole : setMistake(inliers, options)
  if (mistake) return { kind: 'set', mistake }
  const result = solveHandEye(inliers, options)
  const farthest = bad
    .flatMap((outlier) => {
      const observation = observations[outlier.index]
      if (!observation || !result.solved) return []
      const { camera, grid } = result
      const arm = composed(grid, inverted(composed(camera, observation.grid)))
      const expected = options.robotMounted ? arm : inverted(arm)
      const off = differenceOf(expected, observation.robot)
      return [{ kind: 'pose' as const, index: outlier.index, outlier, expected, off }]
    })
    .sort((one, other) => other.off.metres - one.off.metres)
  return farthest[0]
}

/** Turns the grid by half a turn where it then turns as the hand did, starting from the view that fits the others best. */
function turnedAlike(observations: readonly HandEyeObservation[]): HandEyeObservation[] {
  let best: { off: number; turned: HandEyeObservation[] } = { off: Infinity, turned: [] }
  for (const from of observations) {
    let off = 0
    const turned = observations.map((each) => {
      const robotTurn = turnBetween(from.robot, each.robot)
      const half = product(each.grid.orientation, { w: 0, x: 0, y: 0, z: 1 })
      const other = { ...each, grid: { ...each.grid, orientation: half } }
      const [asIs, turnedHalf] = [each, other].map(({ grid }) =>
        Math.abs(turnBetween(from.grid, grid) - robotTurn),
      ) as [number, number]
      off += Math.min(asIs, turnedHalf)
      return turnedHalf < asIs ? other : each
    })
    if (off < best.off) best = { off, turned }
  }
  return best.turned
}

const turnBetween = (one: Pose, other: Pose): number =>
  angleOf(product(conjugated(one.orientation), other.orientation))
