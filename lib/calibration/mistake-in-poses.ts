import {
  angleOf,
  composed,
  conjugated,
  inverted,
  outliers,
  product,
  setMistake,
  solveHandEye,
  type HandEyeObservation,
  type HandEyeOptions,
  type Outlier,
  type Pose,
  type SetMistake,
} from '../robotics'
import { differenceOf, type PoseDifference } from './misses'

/** What is wrong with recorded poses. */
export type PosesMistake =
  /** With all of them, as a wrong unit or a wrong size of the grid. */
  | { kind: 'set'; mistake: SetMistake }
  /** With one of them, as a wrong digit. */
  | {
      kind: 'pose'
      /** Index of the observation. */
      index: number
      outlier: Outlier
      /** Where the hand must have been by all other poses, and how far that is from the recorded pose. */
      expected: Pose
      off: PoseDifference
    }

/**
 * Finds the mistake that explains why poses of the robot and what the camera saw do not fit: tries each usual mistake on the
 * data, and names the one without which everything fits. The pose of a grid without a marked corner may be turned by half a
 * turn.
 *
 * @returns undefined if everything fits, if none of the mistakes explains it, or for fewer than five poses
 */
export function mistakeInPoses(
  given: readonly HandEyeObservation[],
  options: HandEyeOptions,
): PosesMistake | undefined {
  const observations = turnedAlike(given)
  const whole = setMistake(observations, options)
  if (whole && whole.kind !== 'grid-size') return { kind: 'set', mistake: whole }
  const bad = outliers(observations, options)
  const kept = observations.filter((_, at) => bad.every(({ index }) => index !== at))
  // A pose that is far off can look like a wrong size of the grid.
  const mistake = bad.length ? setMistake(kept, options) : whole
  if (mistake) return { kind: 'set', mistake }
  const result = solveHandEye(kept, options)
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

/** Turns the grid by half a turn where it has then turned as far from the first view as the hand has. */
function turnedAlike(observations: readonly HandEyeObservation[]): HandEyeObservation[] {
  const [first] = observations
  if (!first) return []
  return observations.map((each) => {
    const wanted = turnBetween(first.robot, each.robot)
    const other = { ...each.grid, orientation: product(each.grid.orientation, { w: 0, x: 0, y: 0, z: 1 }) }
    const off = (grid: Pose) => Math.abs(turnBetween(first.grid, grid) - wanted)
    return off(other) < off(each.grid) ? { ...each, grid: other } : each
  })
}

const turnBetween = (one: Pose, other: Pose): number =>
  angleOf(product(conjugated(one.orientation), other.orientation))
