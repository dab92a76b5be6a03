import { CholeskyDecomposition, Matrix } from 'ml-matrix'
import { solveHandEye, type HandEyeOptions, type HandEyeResult } from '../hand-eye/solve'
import { residual, station, type Station } from '../hand-eye/station'
import { byNoise, fit, whitenedErrors, type Fit } from '../outliers/fit'
import { outliers, type Outlier } from '../outliers/outliers'
import { weightsOf } from '../outliers/subset'
import { radians } from '../quaternion'
import type { Noise } from '../hand-eye/noise'
import type { Pose } from '../pose'
import type { Sighting } from './attempt'
import type { PlanSettings } from './settings'
import { doubtOf } from './views'

/** What the sightings so far say together. */
export interface Evidence {
  result: HandEyeResult
  /** Indices among the sightings of those that do not belong to the others; not part of the result. */
  outliers: Outlier[]
  fit: Fit
  noise: Noise
  weights: ReturnType<typeof weightsOf>
}

/** A misfit this far above the ordinary makes it worth while to look for poses that do not belong to the others. */
const conspicuous = 1.7

/** Solves what was seen, without the poses that do not fit. @returns undefined if it determines nothing yet */
export function evidenceOf(settings: PlanSettings, sightings: readonly Sighting[]): Evidence | undefined {
  const options: HandEyeOptions = {
    robotMounted: settings.robotMounted,
    ...(settings.fourAxis && { fourAxis: settings.fourAxis }),
  }
  const all = solveHandEye(sightings, options)
  if (!all.solved) return undefined
  const bad = all.misfits.some(({ surprise }) => surprise > conspicuous)
    ? outliersAmong(settings, sightings, options)
    : []
  const kept = sightings.filter((_, index) => !bad.some((each) => each.index === index))
  const result = bad.length ? solveHandEye(kept, options) : all
  if (!result.solved) return undefined
  const { gridTurnDegrees, translation, robotTurnDegrees } = result.noise
  const noise = [radians(gridTurnDegrees), translation, radians(robotTurnDegrees)].map(
    (deviation) => 2 * Math.log(deviation),
  ) as unknown as Noise
  const stations = kept.map((each) => station(each, settings.robotMounted))
  const weights = { ...weightsOf(stations, options), whiten: byNoise(noise) }
  const found = fit({ ...weights, stations }, { camera: result.camera, grid: result.grid })
  return found && { result, outliers: bad, fit: found, noise, weights }
}

/** The last search of each plan: a forecast asks at each of its poses about the same sightings. */
const searches = new WeakMap<PlanSettings, { among: readonly Sighting[]; found: Outlier[] }>()

/** Outliers among what was seen. What is only expected fits by itself, and stands at the end. */
function outliersAmong(
  settings: PlanSettings,
  sightings: readonly Sighting[],
  options: HandEyeOptions,
): Outlier[] {
  const among = sightings.filter(({ assumed }) => !assumed)
  const last = searches.get(settings)
  if (last?.among.length === among.length && last.among.every((each, index) => each === among[index]))
    return last.found
  const found = outliers(among, options)
  searches.set(settings, { among, found })
  return found
}

/** How far the grid may be from where it is expected at a pose, metres. */
export function doubtAt({ fit: { unknowns, covariance }, weights }: Evidence, at: Station): number {
  const { jacobian } = residual(at, unknowns, weights.robotMounted)
  const effect = new Matrix(jacobian.slice(3).map((row) => weights.free.map((unknown) => row[unknown] ?? 0)))
  return doubtOf(effect, covariance)
}

/** The expected accuracy, in the wanted one: below 1 is enough. */
export interface Expectation {
  add: (robot: Pose, seen: Pose) => number
  now: number
}

/** What another pose would do to the result. */
export function expectation(
  { fit: { unknowns, covariance, information }, weights }: Evidence,
  { wanted, robotMounted }: PlanSettings,
): Expectation {
  const share = (of: Matrix) =>
    Math.sqrt(
      weights.free.reduce((sum, unknown, index) => {
        if (unknown > 5) return sum
        const unit = unknown < 3 ? radians(wanted.degrees) : wanted.metres
        return sum + of.get(index, index) / unit ** 2
      }, 0),
    )
  return {
    now: share(covariance),
    add: (robot, seen) => {
      const { columns } = whitenedErrors(station({ robot, grid: seen }, robotMounted), unknowns, weights)
      const effect = new Matrix(columns)
      const more = Matrix.add(information, effect.mmul(effect.transpose()))
      return share(new CholeskyDecomposition(more).solve(Matrix.eye(more.rows)))
    },
  }
}
