import { solveHandEye, type HandEyeOptions } from '../hand-eye/solve'
import { station, type HandEyeObservation } from '../hand-eye/station'
import { suspects } from './suspects'

/** How accurate a calibration is: the true value lies within these bounds with a probability of 95 %. */
export interface Bounds {
  /** Metres; infinite if the poses give no result. */
  translation: number
  rotationDegrees: number
}

/** A pose that does not belong to the others. */
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
 * wrong unit, a camera that was knocked. One in sets of six and more, two from eight, three from twelve. A mistake in
 * all poses is none of a pose: {@link setMistake} finds those.
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
  // What the others cannot do better without is not shown to be bad.
  return named.filter((each) => each.without.translation < each.with.translation)
}
