import type { HandEyeOptions } from '../hand-eye/solve'
import { startOfFullRobot } from '../hand-eye/start'
import { startOfFourAxisRobot, type GivenCoordinate } from '../hand-eye/start-four-axis'
import { unknownCount, type Station } from '../hand-eye/station'
import type { Noise } from '../hand-eye/noise'
import { priorOf } from '../hand-eye/prior'
import { sumOf, zeros } from '../hand-eye/sums'
import { byNoise, fit, type Fit, type FitProblem, type Whiten } from './fit'
import { pictureCovariance, pictureWhitening } from './picture-noise'

/** Proportions of a robot's rotation noise to the usual one, by which all tests must agree. */
export const robotShares = [0.5, 2, 6] as const
/** The proportion by which poses are compared with each other. */
export const usualShare = 2

/** What the noise may be like. */
export type NoiseIdea =
  /** Alike in all directions: rotation noise of the robot, as a multiple of the usual one. */
  | number
  /** Of a grid in a picture: its position across the line of sight, as a multiple of the robot's. */
  | { picture: number }

export const noiseIdeas: readonly NoiseIdea[] = [
  ...robotShares,
  ...[Infinity, 0.5, 0.1].map((picture) => ({ picture })),
]

/** What all subsets of a set have in common. */
export type Weights = Omit<FitProblem, 'stations'> & { given: GivenCoordinate | undefined }

export function weightsOf(
  stations: readonly Station[],
  { robotMounted, fourAxis }: HandEyeOptions,
  idea: NoiseIdea = usualShare,
): Weights {
  const given: GivenCoordinate | undefined = fourAxis && {
    of: robotMounted ? 'camera' : 'grid',
    axis: fourAxis.axis,
    value: fourAxis.offset,
  }
  const held = given && ['x', 'y', 'z'].indexOf(given.axis) + (given.of === 'camera' ? 3 : 9)
  const free = [...zeros(unknownCount).keys()].filter((unknown) => unknown !== held)
  return { robotMounted, free, given, whiten: whitenBy(stations, idea) }
}

function whitenBy(stations: readonly Station[], idea: NoiseIdea): Whiten {
  if (typeof idea === 'number') return byNoise(usualNoise(stations, idea))
  const usual = sumOf(stations, ({ seen: { position: p } }) => Math.hypot(p.x, p.y, p.z)) / stations.length
  const known = new Map(stations.map((each) => [each, pictureCovariance(each.seen, usual)]))
  const [, move, turn] = usualNoise(stations, Math.max(...robotShares))
  const less = 2 * Math.log(idea.picture)
  const robot: Noise = [-Infinity, move - less, turn - less]
  return (station, seen) =>
    pictureWhitening(known.get(station) ?? pictureCovariance(station.seen, usual), seen, robot)
}

function usualNoise(stations: readonly Station[], robotShare: number): Noise {
  const [turn, move, robotTurn] = priorOf(stations).mean
  return [turn, move, robotTurn + 2 * Math.log(robotShare)]
}

/** The fit of some stations, begun from their own closed form: a bad pose among all must not decide the start. */
export function fitOf(stations: readonly Station[], { given, ...weights }: Weights): Fit | undefined {
  const start = given ? startOfFourAxisRobot(stations, given) : startOfFullRobot(stations)
  return fit({ ...weights, stations }, start)
}
