import type { Axis } from '../euler'
import type { Pose } from '../pose'
import { degrees } from '../quaternion'
import { leastTurnDegrees, spreadOf } from '../spread/spread'
import { certaintyOf, covarianceOf } from './certainty'
import { estimate, type Estimate } from './estimate'
import { misfits, type Misfit } from './misfits'
import { priorOf } from './prior'
import { distinct } from './repeated'
import { startOfFullRobot } from './start'
import { startOfFourAxisRobot, type GivenCoordinate } from './start-four-axis'
import { station, unknownCount, type HandEyeObservation } from './station'
import { zeros } from './sums'

/** How camera, grid and robot are mounted. */
export interface HandEyeOptions {
  /** True: the camera is mounted on the robot's hand and the grid is fixed. False: the other way round. */
  robotMounted: boolean
  /** For robots of four degrees of freedom. @default a full robot */
  fourAxis?: {
    /** Axis of the hand about which the robot turns. */
    axis: Axis
    /**
     * Signed distance along this axis from the origin of the hand to the camera, or to the grid if the camera is fixed;
     * metres. Rotations about the axis cannot determine it.
     */
    offset: number
  }
}

/** The calibration and its accuracy. Lengths are in metres. */
export interface HandEyeResult {
  solved: true
  /** Pose of the camera: in the hand's frame if it is mounted there, otherwise in the external frame. Metres. */
  camera: Pose
  /** Pose of the grid: in the external frame, or in the hand's frame if the camera is fixed. Metres. */
  grid: Pose
  /**
   * Covariance of the camera's pose, six by six: rotations about the camera's own axes (radians), then translations
   * along the axes of the frame in which the pose is given (metres).
   */
  covariance: number[][]
  /** Standard deviation, metres. */
  translationError: number
  rotationErrorDegrees: number
  /** The true value lies within this distance with a probability of 95 %, metres. */
  translationBound: number
  rotationBoundDegrees: number
  /** Estimated standard deviations of one component of one pose. */
  noise: { gridTurnDegrees: number; translation: number; robotTurnDegrees: number }
  /** How far each pose deviates from the common result, in the order of the input. */
  misfits: Misfit[]
}

/** Why these poses give no result. */
export interface HandEyeFailure {
  solved: false
  reason:
    | 'too-few-poses'
    /** The hand turned about one axis only, or not at all: a full robot needs two. */
    | 'too-little-rotation'
    /** Poses of a robot with four degrees of freedom turn about only one axis. */
    | 'more-than-one-axis'
    /** The poses are too similar, or move too little. */
    | 'undetermined'
}

/** Two poses would leave no residual from which to estimate the noise. */
const fewestPoses = 3
/** A smaller rotation about a second axis is lost in the noise of any camera. */
const secondAxisDegrees = 0.5

/**
 * Solves the pose of the camera from poses of the robot and the grid as detected at each of them. Several looks from the
 * same pose count as one.
 */
export function solveHandEye(
  observations: readonly HandEyeObservation[],
  { robotMounted, fourAxis }: HandEyeOptions,
): HandEyeResult | HandEyeFailure {
  const hands = observations.map(({ robot }) => robot)
  if (observations.length < fewestPoses) return { solved: false, reason: 'too-few-poses' }
  const [, second] = spreadOf(hands).axes
  if (!fourAxis && second.degrees < secondAxisDegrees) return { solved: false, reason: 'too-little-rotation' }
  if (fourAxis && second.degrees > leastTurnDegrees) return { solved: false, reason: 'more-than-one-axis' }

  const all = observations.map((each) => station(each, robotMounted))
  const { stations, partOf } = distinct(all)
  if (stations.length < fewestPoses) return { solved: false, reason: 'too-few-poses' }
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
    misfits: misfits(found, all, partOf, robotMounted),
  }
}

/** The index of the unknown for a given coordinate. */
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
