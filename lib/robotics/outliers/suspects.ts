import { betaShare } from '../hand-eye/certainty'
import { type HandEyeOptions, solveHandEye } from '../hand-eye/solve'
import { type HandEyeObservation, type Station, station } from '../hand-eye/station'
import {
  type Fit,
  likelihoodOf,
  predictionMisfit,
  fitOf,
  noiseIdeas,
  type Weights,
  weightsOf,
} from './subset'

/** Probability of a false name in a set of good poses: the noise of real poses has heavier tails than a normal one. */
const falseAlarm = 3e-4
/** What the noise may be like does not count if the rest makes it this much less likely: difference of logarithms. */
const implausible = -Math.log(falseAlarm)
/** In smaller sets the rest could not tell which pose is the bad one. */
const fewest = 6

/** How many bad poses can be told in a set of this size. */
const mostSuspects = (poses: number) => (poses < 8 ? 1 : poses < 12 ? 2 : 3)

/**
 * Indices of the poses that do not fit the others: the pose whose removal lowers the sum of squares most is removed,
 * as often as the size of the set allows; then whatever fits the rest is put back.
 */
function suspects(stations: readonly Station[], options: HandEyeOptions): number[] {
  if (stations.length < fewest) return []
  const weights = weightsOf(stations, options)
  const kept = [...stations.keys()]
  const removed: number[] = []
  for (let count = 0; count < mostSuspects(stations.length); count += 1) {
    const worst = mostHelpful(stations, kept, weights)
    if (worst === undefined) break
    kept.splice(kept.indexOf(worst), 1)
    removed.push(worst)
  }
  return unfitting(stations, kept, removed, options)
}

/** The pose without which the others fit best. */
function mostHelpful(stations: readonly Station[], kept: readonly number[], weights: Weights) {
  let least = Infinity
  let best: number | undefined
  for (const index of kept) {
    const rest = kept.filter((other) => other !== index)
    const squares = fitOf(at(stations, rest), weights)?.squares ?? Infinity
    if (squares < least) [least, best] = [squares, index]
  }
  return best
}

/** Puts back, the best first, what fits the rest under at least one idea of the noise. */
function unfitting(
  stations: readonly Station[],
  kept: readonly number[],
  removed: readonly number[],
  options: HandEyeOptions,
): number[] {
  const rest = [...kept]
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

/** The largest probability, over what the noise may be like, that a good pose lies this far from what the rest says. */
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
  // No idea is the whole truth about a robot: by all proportions the pose must be bad.
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

/** Exact poses leave errors of rounding only, which no pose has to fit: a micrometre, in units of the noise. */
const leastSquare = 1e-6 ** 2

const at = (stations: readonly Station[], indices: readonly number[]): Station[] =>
  indices.flatMap((index) => stations[index] ?? [])

/** How accurate a calibration is: the true value lies within these bounds with a probability of 95 %. */
export interface Bounds {
  /** Metres; infinite if the poses give no result. */
  translation: number
  rotationDegrees: number
}

/** A pose that does not belong to the others, and without which the calibration is clearly more accurate. */
export interface Outlier {
  /** Index of the observation. */
  index: number
  /** The accuracy of the calibration without all poses that do not belong to the others. */
  without: Bounds
  /** The accuracy with this one of them. */
  with: Bounds
}

/**
 * Finds the poses that do not fit the others, by leaving them out: a grid that was detected turned, swapped angles, a
 * wrong unit, a camera that was knocked. One in sets of six and more, two from eight, three from twelve. Only those without
 * which the bound is at least 20 % smaller. A mistake in all poses is none of a pose: {@link setMistake} finds those.
 *
 * @returns in the order of the observations; empty if all fit, or if the set is too small to tell
 */
export function outliers(observations: readonly HandEyeObservation[], options: HandEyeOptions): Outlier[] {
  const stations = observations.map((each) => station(each, options.robotMounted))
  const found = suspects(stations, options)
  if (!found.length) return []
  const boundsOf = (leftOut: readonly number[]): Bounds => {
    const kept = observations.filter((_, index) => !leftOut.includes(index))
    const result = solveHandEye(kept, options)
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

/** A bound is itself an estimate: a smaller gain than this share means nothing. */
const leastGain = 0.2
/** A pose whose position is wrong still says something about angles, and the reverse. */
const mostLoss = 0.15

/** Whether position or angle gains clearly, and the other loses no more than it does with any pose less. */
const isClearlyBetter = ({ without, with: including }: Outlier): boolean => {
  const gains = (['translation', 'rotationDegrees'] as const).map((part) =>
    Number.isFinite(including[part]) ? 1 - without[part] / including[part] : 1,
  )
  return Math.max(...gains) >= leastGain && Math.min(...gains) >= -mostLoss
}
