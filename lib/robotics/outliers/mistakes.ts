/** Poses that do not fit the others, and mistakes that all poses of a set have in common. */
import { betaShare, fQuantile } from '../hand-eye/likelihood'
import { type HandEyeOptions, solveHandEye } from '../hand-eye/solve'
import {
  type HandEyeObservation,
  residualCount,
  type Station,
  station,
  unknownCount,
} from '../hand-eye/station'
import {
  type Pose,
  type Quaternion,
  degrees,
  type EulerAngles,
  type EulerAxes,
  eulerOf,
  ofEuler,
  ofRotationVector,
  rotationVectorOf,
} from '../pose'
import {
  type Fit,
  fitOf,
  likelihoodOf,
  noiseIdeas,
  predictionMisfit,
  robotShares,
  usualShare,
  type Weights,
  weightsOf,
} from './subset'

/** Probability of a false outlier in a good set: the noise of real poses has heavier tails than a normal distribution. */
const falseAlarm = 3e-4

/** A noise hypothesis is ignored if it makes the rest this much less likely: difference of logarithms. */
const implausible = -Math.log(falseAlarm)

const fewest = 6 // in smaller sets the rest could not tell which pose is the bad one

/** Detectable outliers by the size of the set. */
const mostSuspects = (poses: number) => (poses < 8 ? 1 : poses < 12 ? 2 : 3)

/**
 * Indices of the poses that do not fit the others: backward elimination by the sum of squares, as often as the size of
 * the set allows; then whatever fits the rest is restored.
 */
function suspects(stations: readonly Station[], options: HandEyeOptions): number[] {
  if (stations.length < fewest) return []
  const weights = weightsOf(stations, options)
  const remaining = [...stations.keys()]
  const removed: number[] = []
  for (let count = 0; count < mostSuspects(stations.length); count += 1) {
    const worst = mostHelpful(stations, remaining, weights)
    if (worst === undefined) break
    remaining.splice(remaining.indexOf(worst), 1)
    removed.push(worst)
  }
  return unfitting(stations, remaining, removed, options)
}

/** The pose whose removal improves the fit most. */
function mostHelpful(stations: readonly Station[], remaining: readonly number[], weights: Weights) {
  let least = Infinity
  let best: number | undefined
  for (const index of remaining) {
    const rest = remaining.filter((other) => other !== index)
    const squares = fitOf(at(stations, rest), weights)?.squares ?? Infinity
    if (squares < least) [least, best] = [squares, index]
  }
  return best
}

/** Restores, the best first, what fits the rest under at least one noise hypothesis. */
function unfitting(
  stations: readonly Station[],
  remaining: readonly number[],
  removed: readonly number[],
  options: HandEyeOptions,
): number[] {
  const rest = [...remaining]
  const left = [...removed]
  const limit = falseAlarm / stations.length
  while (left.length) {
    const chances = left.map((index) => chanceOf(stations, rest, index, options))
    const likeliest = Math.max(...chances)
    if (likeliest < limit) break
    const [fitting] = left.splice(chances.indexOf(likeliest), 1)
    if (fitting !== undefined) rest.push(fitting)
  }
  return left.sort((one, other) => one - other)
}

/** The largest probability, over all noise hypotheses, that a good pose is this far from the prediction of the rest. */
function chanceOf(
  stations: readonly Station[],
  rest: readonly number[],
  index: number,
  options: HandEyeOptions,
): number {
  const one = stations[index]
  if (!one) return 1
  const others = at(stations, rest)
  const ideas = noiseIdeas.map((idea) => {
    const weights = weightsOf(stations, options, idea)
    const found = fitOf(others, weights)
    return found
      ? {
          idea,
          chance: chance(found, predictionMisfit(weights, found, one)),
          likelihood: likelihoodOf({ ...weights, stations: others }, found, leastSquare),
        }
      : { idea, chance: 1, likelihood: Infinity }
  })
  const best = Math.max(...ideas.map(({ likelihood }) => likelihood))
  // No hypothesis is exact: the pose must be bad under all plausible ones.
  const plausible = ideas.filter(
    ({ idea, likelihood }) =>
      typeof idea === 'number' || best - likelihood < implausible || best === Infinity,
  )
  return Math.max(...plausible.map((idea) => idea.chance))
}

/** Upper tail of the F distribution. */
function chance({ squares, freedom }: Fit, misfit: number): number {
  if (freedom <= 0) return 1
  const ratio = misfit / Math.max(squares / freedom, leastSquare)
  return betaShare(freedom / (freedom + 6 * ratio), freedom / 2, 3)
}

/** Exact poses leave only rounding errors, which no pose has to fit: a micrometre, in units of the noise. */
const leastSquare = 1e-6 ** 2

const at = (stations: readonly Station[], indices: readonly number[]): Station[] =>
  indices.flatMap((index) => stations[index] ?? [])

/** Accuracy of a calibration: the true value is within these bounds with a probability of 95 %. */
export interface Bounds {
  /** Metres; infinite if the poses give no result. */
  translation: number
  rotationDegrees: number
}

/** A pose that does not fit the others, and without which the calibration is clearly more accurate. */
export interface Outlier {
  index: number
  without: Bounds
  /** Accuracy with this one of them. */
  with: Bounds
}

/**
 * Finds the poses that do not fit the others by leaving them out: a grid detected turned, swapped angles, a wrong unit,
 * a moved camera. One in sets of six and more, two from eight, three from twelve; only those without which the bound is
 * at least 20 % smaller. For mistakes in all poses see {@link setMistake}.
 * @returns in the order of the observations; empty if all fit, or if the set is too small
 */
export function outliers(observations: readonly HandEyeObservation[], options: HandEyeOptions): Outlier[] {
  const stations = observations.map((each) => station(each, options.robotMounted))
  const found = suspects(stations, options)
  if (!found.length) return []
  const boundsOf = (leftOut: readonly number[]): Bounds => {
    const remaining = observations.filter((_, index) => !leftOut.includes(index))
    const result = solveHandEye(remaining, options)
    if (!result.solved) return { translation: Infinity, rotationDegrees: Infinity }
    return { translation: result.translationBound, rotationDegrees: result.rotationBoundDegrees }
  }
  const without = boundsOf(found)
  const named = found.map((index) => ({
    index,
    without,
    with: boundsOf(found.filter((other) => other !== index)),
  }))
  return named.filter(isClearlyBetter)
}

const leastGain = 0.2 // A bound is itself an estimate: a smaller gain is meaningless

/** A pose with a wrong position still contributes to the angles, and the reverse. */
const mostLoss = 0.15

/** Position or angle gains clearly, and the other loses no more than without any pose. */
const isClearlyBetter = ({ without, with: including }: Outlier): boolean => {
  const gains = (['translation', 'rotationDegrees'] as const).map((part) =>
    Number.isFinite(including[part]) ? 1 - without[part] / including[part] : 1,
  )
  return Math.max(...gains) >= leastGain && Math.min(...gains) >= -mostLoss
}

type Mistake =
  /** Or the robot sends the pose of its base in the hand: both look the same. */
  | { kind: 'mounting' }
  /** The robot's positions are a thousand times too large, or too small. */
  | { kind: 'millimetres-for-metres' | 'metres-for-millimetres' }
  /** The robot's angles, or its rotation vector, are in radians and were read as degrees. */
  | { kind: 'radians-for-degrees' }
  /** The first and the last angle are exchanged. */
  | { kind: 'angles-swapped'; axes: EulerAxes }
  /** The angles belong to another order of axes. */
  | { kind: 'angle-order'; read: EulerAxes; meant: EulerAxes }
  /** All detected distances are wrong by this factor, as with a wrong grid size. */
  | { kind: 'grid-size'; factor: number }

/** A mistake in all poses of a set. */
export type SetMistake = Mistake & {
  /** Root mean square residual of a pose with and without the mistake, metres. */
  misfit: number
  misfitWithout: number
}

const suspicious = 0.0015 // below this a set is merely noisy, metres

const clearly = 10 // factor by which the fit must improve

const fewestOfSet = 5 // with few poses another mounting fits nearly as well

const leastFactor = 0.003 // A grid is rarely measured better than this

const falseSetAlarm = 1e-6 // probability of a false grid size in a good set

const orders: readonly EulerAxes[] = [
  ['z', 'y', 'x'],
  ['x', 'y', 'z'],
  ['z', 'y', 'z'],
]

/**
 * Finds a mistake that all poses have in common by trying the usual ones: mounting, millimetres for metres and the
 * reverse, radians for degrees, swapped angles, another maker's angles, grid size. The set must fit ten times better
 * without it; for the grid, the difference must exceed noise. @returns undefined if the set fits as it is, or none of
 * these helps
 */
export function setMistake(
  observations: readonly HandEyeObservation[],
  options: HandEyeOptions,
): SetMistake | undefined {
  if (observations.length < fewestOfSet) return undefined
  const misfit = misfitOf(observations, options)
  const best = misfit < suspicious ? undefined : bestVariant(observations, options)
  if (!best || best.misfitWithout > misfit / clearly) return gridSize(observations, options, misfit)
  return { ...best.mistake, misfit, misfitWithout: best.misfitWithout }
}

function bestVariant(observations: readonly HandEyeObservation[], options: HandEyeOptions) {
  const tried = variants(observations, options).map(({ mistake, set, as }) => ({
    mistake,
    misfitWithout: misfitOf(set, as),
  }))
  return tried.sort((one, other) => one.misfitWithout - other.misfitWithout)[0]
}

interface Variant {
  mistake: Mistake
  set: readonly HandEyeObservation[]
  as: HandEyeOptions
}

function variants(observations: readonly HandEyeObservation[], options: HandEyeOptions): Variant[] {
  const ofRobot = (mistake: Mistake, change: (robot: Pose) => Pose): Variant => ({
    mistake,
    set: observations.map(({ robot, grid }) => ({ robot: change(robot), grid })),
    as: options,
  })
  const reordered = orders.flatMap((read) =>
    orders.flatMap((meant) =>
      read === meant
        ? []
        : [
            ofRobot({ kind: 'angle-order', read, meant }, ({ position, orientation }) => ({
              position,
              orientation: ofEuler(meant, eulerOf(read, orientation)),
            })),
          ],
    ),
  )
  const inDegrees = (angles: EulerAngles): EulerAngles => angles.map(degrees) as unknown as EulerAngles
  const asRadians = [
    ...orders.map(
      (axes) => (orientation: Quaternion) => ofEuler(axes, inDegrees(eulerOf(axes, orientation))),
    ),
    (orientation: Quaternion) => {
      const { x, y, z } = rotationVectorOf(orientation)
      return ofRotationVector({ x: degrees(x), y: degrees(y), z: degrees(z) })
    },
  ].map((turned) =>
    ofRobot({ kind: 'radians-for-degrees' }, ({ position, orientation }) => ({
      position,
      orientation: turned(orientation),
    })),
  )
  const other = { ...options, robotMounted: !options.robotMounted }
  return [
    ...(options.fourAxis ? [] : [{ mistake: { kind: 'mounting' } as const, set: observations, as: other }]),
    ofRobot({ kind: 'millimetres-for-metres' }, (robot) => scaled(robot, 0.001)),
    ofRobot({ kind: 'metres-for-millimetres' }, (robot) => scaled(robot, 1000)),
    ...orders.map((axes) =>
      ofRobot({ kind: 'angles-swapped', axes }, ({ position, orientation }) => {
        const [a, b, c] = eulerOf(axes, orientation)
        return { position, orientation: ofEuler(axes, [c, b, a]) }
      }),
    ),
    ...reordered,
    ...asRadians,
  ]
}

const scaled = ({ position: { x, y, z }, orientation }: Pose, by: number): Pose => ({
  position: { x: by * x, y: by * y, z: by * z },
  orientation,
})

/** Best factor between detected and true distances: a coarse search, then halving. */
function gridSize(
  observations: readonly HandEyeObservation[],
  options: HandEyeOptions,
  misfit: number,
): SetMistake | undefined {
  const sized = (factor: number) =>
    observations.map(({ robot, grid }) => ({ robot, grid: scaled(grid, 1 / factor) }))
  const at = (factor: number) => misfitOf(sized(factor), options)
  let best = 1
  let least = misfit
  for (let step = Math.LN2 / 8; step > 1e-4;) {
    const [up, down] = [best * Math.exp(step), best / Math.exp(step)]
    const [above, below] = [at(up), at(down)]
    if (Math.min(above, below) >= least) step /= 2
    else [best, least] = above < below ? [up, above] : [down, below]
    if (best > 4 || best < 0.25) return undefined
  }
  if (Math.abs(best - 1) < leastFactor) return undefined
  // However noisy the robot is beside the camera, chance does not explain it.
  const freedom = residualCount * observations.length - unknownCount
  const chance = fQuantile(1 - falseSetAlarm, 1, freedom - 1)
  const isClear = robotShares.every((share) => {
    const [as, without] = [misfitOf(observations, options, share), misfitOf(sized(best), options, share)]
    return ((as / without) ** 2 - 1) * (freedom - 1) > chance
  })
  return isClear ? { kind: 'grid-size', factor: best, misfit, misfitWithout: least } : undefined
}

/** Tests only the grid size, for sets whose other mistakes are excluded. @returns undefined if it is right */
export const gridSizeMistake = (
  observations: readonly HandEyeObservation[],
  options: HandEyeOptions,
): SetMistake | undefined =>
  observations.length < fewestOfSet
    ? undefined
    : gridSize(observations, options, misfitOf(observations, options))

/** Root mean square residual of a pose, metres. */
export const setMisfit = (observations: readonly HandEyeObservation[], options: HandEyeOptions): number =>
  misfitOf(observations, options)

/** @param share of the robot's rotation noise, see `robotShares` */
function misfitOf(
  observations: readonly HandEyeObservation[],
  options: HandEyeOptions,
  share: number = usualShare,
): number {
  const stations = observations.map((each) => station(each, options.robotMounted))
  // The weights have no size: an error of one is a metre.
  const found = fitOf(stations, weightsOf(stations, options, share))
  return found ? Math.sqrt(found.squares / found.freedom) : Infinity
}
