import type { HandEyeOptions } from '../hand-eye/solve'
import { startOfFullRobot } from '../hand-eye/start'
import { startOfFourAxisRobot, type GivenCoordinate } from '../hand-eye/start-four-axis'
import { unknownCount, type Station } from '../hand-eye/station'
import type { Noise } from '../hand-eye/noise'
import { priorOf } from '../hand-eye/prior'
import { zeros } from '../hand-eye/sums'
import { fit, type Fit, type FitProblem } from './fit'

/** Proportions of a robot's rotation noise to the usual one, by which all tests must agree. */
export const robotShares = [0.5, 2, 6] as const
/** The proportion by which poses are compared with each other. */
export const usualShare = 2

/** What all subsets of a set have in common. */
export type Weights = Omit<FitProblem, 'stations'> & { given: GivenCoordinate | undefined }

/** @param share rotation noise of the robot, as a multiple of the usual one */
export function weightsOf(
  stations: readonly Station[],
  { robotMounted, fourAxis }: HandEyeOptions,
  share: number = usualShare,
): Weights {
  const [turn, move, robotTurn] = priorOf(stations).mean
  const noise: Noise = [turn, move, robotTurn + 2 * Math.log(share)]
  const given: GivenCoordinate | undefined = fourAxis && {
    of: robotMounted ? 'camera' : 'grid',
    axis: fourAxis.axis,
    value: fourAxis.offset,
  }
  const held = given && ['x', 'y', 'z'].indexOf(given.axis) + (given.of === 'camera' ? 3 : 9)
  const free = [...zeros(unknownCount).keys()].filter((unknown) => unknown !== held)
  return { robotMounted, free, noise, given }
}

/** The fit of some stations, begun from their own closed form: a bad pose among all must not decide the start. */
export function fitOf(stations: readonly Station[], { given, ...weights }: Weights): Fit | undefined {
  const start = given ? startOfFourAxisRobot(stations, given) : startOfFullRobot(stations)
  return fit({ ...weights, stations }, start)
}
