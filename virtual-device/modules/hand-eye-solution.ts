// From its files, because the whole of lib/robotics brings the planning of poses, which no device needs.
import type { Axis } from '../../lib/robotics/euler'
import { solveHandEye, type HandEyeOptions, type HandEyeResult } from '../../lib/robotics/hand-eye/solve'
import { composed, inverted, type Pose, type Vector } from '../../lib/robotics/pose'
import { distinctPoses } from '../../lib/robotics/spread/near-duplicates'
import { spreadOf } from '../../lib/robotics/spread/spread'
import { cornersOf } from '../cell/hindrance'
import { believing, type Sighting } from '../cell/sighting'
import type { View } from '../detection/view'
import type { ParameterValue } from '../parameter'
import { enoughPoses, type RecordedPose } from './hand-eye-poses'
import { outcome, type Calibration } from './hand-eye-shapes'
import { tagsLocated } from './hand-eye-tags'

type Parameters = Readonly<Record<string, ParameterValue>>
type Solution = { calibration: Calibration } | { refusal: ReturnType<typeof outcome> }

/** Largest standard deviations of a usable result. Our choice. */
const useless = { metres: 0.05, degrees: 5 }
const axes: readonly Axis[] = ['x', 'y', 'z']
/** Smallest rotation about the axis, and smallest distance of positions, for calibrating a four-axis robot. */
const least = { turnDegrees: 2, metres: 0.02 }
/** Cosine of the largest angle between the configured axis and the one about which the hand turns: 15 degrees. */
const sameAxis = 0.966

/** The calibration from the observations, with the grid, the mounting and the axis set in the parameters. */
export function solution(recorded: readonly RecordedPose[], parameters: Parameters, view: View): Solution {
  const [width, height] = [Number(parameters.grid_width), Number(parameters.grid_height)]
  const axis = axes[Number(parameters.tcp_rotation_axis)]
  const hands = recorded.map(({ pose }) => pose)
  const refused = refusal(hands, { width, height, axis })
  if (refused) return { refusal: refused }

  const robotMounted = parameters.robot_mounted === true
  const options: HandEyeOptions = {
    robotMounted,
    ...(axis && { fourAxis: { axis, offset: Number(parameters.tcp_offset) } }),
  }
  const sightings = recorded.map(({ pose, seen }) => ({
    robot: pose,
    seen: believing(width, height, seen),
  }))
  const observations = sightings.map(({ robot, seen }) => ({ robot, grid: seen.grid }))
  const result = solveHandEye(observations, options)
  if (!result.solved) return { refusal: unsolved[result.reason] }
  if (result.translationError > useless.metres || result.rotationErrorDegrees > useless.degrees)
    return { refusal: outcome(false, 2, 'Result invalid: check poses, mounting and grid.') }
  return {
    calibration: {
      pose: result.camera,
      robot_mounted: robotMounted,
      error: pixelError(sightings, result, robotMounted, view),
      translation_error_meter: result.translationError,
      rotation_error_degree: result.rotationErrorDegrees,
      tags: tagsLocated(sightings, result.camera, robotMounted),
    },
  }
}

const tooAlike = outcome(false, 6, 'The poses are too similar: turn and move the robot more between them.')
const needsAxis = outcome(
  false,
  4,
  'Too little rotation: turn about a second axis, or give tcp_offset and tcp_rotation_axis of a 4-DOF robot.',
)
const tooFree = outcome(
  false,
  5,
  'The poses turn about more than one axis: set tcp_rotation_axis to -1 for this robot.',
)
const unsolved = {
  'too-few-poses': outcome(false, 1, 'Too few poses.'),
  'too-little-rotation': needsAxis,
  'more-than-one-axis': tooFree,
  undetermined: tooAlike,
}

/** Why a calibration is impossible. */
function refusal(
  hands: readonly Pose[],
  { width, height, axis }: { width: number; height: number; axis: Axis | undefined },
) {
  if (width === 0 || height === 0)
    return outcome(false, 3, 'grid_width and grid_height must be greater than 0.')
  if (hands.length < enoughPoses)
    return outcome(false, 1, `Too few poses: ${hands.length} of at least ${enoughPoses} are recorded.`)
  if (distinctPoses(hands) < enoughPoses) return tooAlike
  const {
    axes: [first],
    independentAxes,
    translation,
  } = spreadOf(hands)
  if (!axis) return independentAxes === 0 ? tooAlike : independentAxes === 1 ? needsAxis : undefined
  if (independentAxes > 1) return tooFree
  if (first.degrees < least.turnDegrees || translation < least.metres) return tooAlike
  if (Math.abs(first.axis[axis]) < sameAxis)
    return outcome(false, 2, `Result invalid: the poses do not turn about the ${axis} axis of the robot.`)
  return undefined
}

/** Root mean square of the distances between the detected corners and those predicted by the result, px. */
function pixelError(
  sightings: readonly { robot: Pose; seen: Sighting }[],
  { camera, grid }: HandEyeResult,
  robotMounted: boolean,
  { pixel }: View,
): number {
  const squares = sightings.flatMap(({ robot, seen }) => {
    const expected = robotMounted
      ? composed(inverted(composed(robot, camera)), grid)
      : composed(inverted(camera), composed(robot, grid))
    const size = { grid_width: seen.width, grid_height: seen.height }
    const inPicture = (pose: Pose) => cornersOf(pose, size).map((corner: Vector) => pixel(corner))
    const predicted = inPicture(expected)
    return inPicture(seen.grid).map(
      ({ x, y }, corner) => (x - (predicted[corner]?.x ?? x)) ** 2 + (y - (predicted[corner]?.y ?? y)) ** 2,
    )
  })
  return Math.sqrt(squares.reduce((sum, each) => sum + each, 0) / squares.length)
}
