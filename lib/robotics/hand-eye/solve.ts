import type { Axis } from '../euler'
import type { Pose } from '../pose'
import { degrees } from '../quaternion'
import { leastTurnDegrees, spreadOf } from '../spread/spread'
import { certaintyOf, covarianceOf } from './certainty'
import { estimate, type Estimate } from './estimate'
import { misfits, type Misfit } from './misfits'
import { priorOf } from './prior'
import { startOfFullRobot } from './start'
import { startOfFourAxisRobot, type GivenCoordinate } from './start-four-axis'
import { station, unknownCount, type HandEyeObservation } from './station'
import { zeros } from './sums'

/** How camera, grid and robot stand to each other. */
export interface HandEyeOptions {
  /** True: the camera sits on the robot's hand and the grid is fixed. False: the other way round. */
  robotMounted: boolean
  /** For robots of four degrees of freedom. @default a full robot */
  fourAxis?: {
    /** Of the hand, about which the robot turns. */
    axis: Axis
    /**
     * Signed distance along this axis from the origin of the hand to the camera, or to the grid where the camera is
     * fixed; metres. No rotation about the axis can tell it.
     */
    offset: number
  }
}

/** What was found, and how sure that is. Lengths are metres. */
export interface HandEyeResult {
  solved: true
  /** Of the camera: in the hand's frame where it is mounted there, else in the external frame. Metres. */
  camera: Pose
  /** Of the grid: in the external frame, or in the hand's where the camera is fixed. */
  grid: Pose
  /**
   * Of the camera's pose, six by six: turns about the camera's own axes (radians), then moves along those of the frame
   * that the pose is given in (metres).
   */
  covariance: number[][]
  /** Standard deviations. */
  translationError: number
  rotationErrorDegrees: number
  /** The truth lies within these with a probability of 95 %. */
  translationBound: number
  rotationBoundDegrees: number
  /** Estimated standard deviations of one number of one pose. */
  noise: { gridTurnDegrees: number; translation: number; robotTurnDegrees: number }
  /** How far each pose is off the common result, in the order given. */
  misfits: Misfit[]
}

/** Why nothing can be found from these poses. */
export interface HandEyeFailure {
  solved: false
  reason:
    | 'too-few-poses'
    /** The hand turned about one axis alone, or not at all: a full robot needs two. */
    | 'too-little-rotation'
    /** Poses of a robot of four degrees of freedom turn about one axis alone. */
    | 'more-than-one-axis'
    /** The poses are too alike, or move too little. */
    | 'undetermined'
}

/** Two would leave no error to estimate the noise from. */
const fewestPoses = 3
/** Less than this about a second axis drowns in the noise of any camera. */
const secondAxisDegrees = 0.5

/** Where the camera is, from poses of the robot and what the camera saw there. */
export function solveHandEye(
  observations: readonly HandEyeObservation[],
  { robotMounted, fourAxis }: HandEyeOptions,
): HandEyeResult | HandEyeFailure {
  const hands = observations.map(({ robot }) => robot)
  if (observations.length < fewestPoses) return { solved: false, reason: 'too-few-poses' }
  const [, second] = spreadOf(hands).axes
  if (!fourAxis && second.degrees < secondAxisDegrees) return { solved: false, reason: 'too-little-rotation' }
  if (fourAxis && second.degrees > leastTurnDegrees) return { solved: false, reason: 'more-than-one-axis' }

  const stations = observations.map((each) => station(each, robotMounted))
  const given: GivenCoordinate | undefined = fourAxis && {
    of: robotMounted ? 'camera' : 'grid',
    axis: fourAxis.axis,
    value: fourAxis.offset,
  }
  const start = given ? startOfFourAxisRobot(stations, given) : startOfFullRobot(stations)
  const free = [...zeros(unknownCount).keys()].filter((unknown) => unknown !== fixed(given))
  const found = estimate({ stations, robotMounted, free, prior: priorOf(stations) }, start)
  if (!found) return { solved: false, reason: 'undetermined' }
  return {
    solved: true,
    ...found.unknowns,
    ...accuracy(found, free),
    ...spreadNoise(found),
    misfits: misfits(found, stations, robotMounted),
  }
}

/** Which of the unknowns a given coordinate is. */
const fixed = (given: GivenCoordinate | undefined): number | undefined =>
  given && ['x', 'y', 'z'].indexOf(given.axis) + (given.of === 'camera' ? 3 : 9)

function accuracy(found: Estimate, free: readonly number[]) {
  const covariance = covarianceOf(found)
  const among = (from: number, to: number) =>
    free.flatMap((unknown, index) => (unknown >= from && unknown < to ? [index] : []))
  const turn = certaintyOf(found, covariance, among(0, 3))
  const move = certaintyOf(found, covariance, among(3, 6))
  const camera = [0, 1, 2, 3, 4, 5].map((unknown) => free.indexOf(unknown))
  return {
    covariance: camera.map((row) =>
      camera.map((column) => (row < 0 || column < 0 ? 0 : covariance.get(row, column))),
    ),
    translationError: move.deviation,
    rotationErrorDegrees: degrees(turn.deviation),
    translationBound: move.bound,
    rotationBoundDegrees: degrees(turn.bound),
  }
}

const spreadNoise = ({ noise }: Estimate) => {
  const [gridTurn, translation, robotTurn] = noise.map((each) =>
    Math.exp(each / 2),
  ) as unknown as Estimate['noise']
  return {
    noise: { gridTurnDegrees: degrees(gridTurn), translation, robotTurnDegrees: degrees(robotTurn) },
  }
}
