import { CholeskyDecomposition, Matrix } from 'ml-matrix'
import { type HandEyeOptions, type HandEyeResult, solveHandEye } from '../hand-eye/solve'
import { type Noise, residual, station, type Station, type Unknowns } from '../hand-eye/station'
import { byNoise, fit, type Fit, weightsOf, whitenedErrors } from '../outliers/subset'
import { type Outlier, outliers } from '../outliers/mistakes'
import {
  composed,
  distance,
  inverted,
  type Pose,
  product,
  type Vector,
  angleOf,
  conjugated,
  degrees,
  ofRotationVector,
  radians,
  rotationVectorOf,
} from '../pose'
import type { Exclusion } from './planner'
import {
  type Attempt,
  isSighting,
  type PlanSettings,
  type Sighting,
  type Candidate,
  candidateOf,
  doubtOf,
  type View,
} from './views'

export interface Usable extends Candidate {
  via: Pose[]
}

const mostDoubt = 0.1 // metres: upper bound of the extra margin for an uncertain result
/** On its path the camera may come nearer to the grid than at its views, by this share. */
const passing = 0.75

export function usable(
  settings: PlanSettings,
  attempts: readonly Attempt[],
  evidence: Evidence,
  view: View,
): Usable | Exclusion {
  const [taught] = attempts.filter(isSighting)
  if (!taught) return 'failed'
  const { unknowns } = evidence.fit
  const about = { taught: taught.robot, first: taught.grid, unknowns }
  const rough = candidateOf(settings, { ...about, doubt: 0 }, view)
  if (!rough) return 'picture'
  const doubt = Math.min(
    mostDoubt,
    doubtAt(evidence, station({ robot: rough.robot, grid: rough.seen }, settings.robotMounted)),
  )
  const candidate = candidateOf(settings, { ...about, doubt }, view)
  if (!candidate) return 'picture'
  if (repeatsFailure(attempts, candidate.robot)) return 'failed'
  if (attempts.some(({ purpose, robot }) => purpose === 'view' && isSame(robot, candidate.robot)))
    return 'tried'
  const path = pathTo(settings, attempts, unknowns, candidate.robot)
  if (typeof path === 'string') return path
  return { ...candidate, via: path }
}

/** Intermediate poses of the hand; over the taught pose if the straight path is beyond a limit. */
export function pathTo(
  settings: PlanSettings,
  attempts: readonly Attempt[],
  unknowns: Unknowns | undefined,
  to: Pose,
): Pose[] | LimitName | 'too-near' {
  const [taught] = attempts
  const last = attempts.findLast(({ skipped }) => !skipped)
  const anchor = attempts.findLast(isSighting)
  if (!taught || !last || !anchor) return []
  const { step } = settings.limits
  // After a failure, back the same path: the anchor is where it started.
  const back = last === anchor ? [] : stepsTo(last.robot, anchor.robot, step)
  const forbidden = (path: readonly Pose[]) => {
    for (const hand of path) {
      const limit = beyond(settings, taught.robot, hand, unknowns)
      if (limit) return limit
      if (unknowns && isTooNear(settings, taught, hand, unknowns)) return 'too-near'
    }
    return undefined
  }
  const straight = stepsTo(anchor.robot, to, step)
  const limit = forbidden(straight)
  if (!limit) return [...back, ...straight.slice(0, -1)]
  const around = [...stepsTo(anchor.robot, taught.robot, step), ...stepsTo(taught.robot, to, step)]
  if (!forbidden(around)) return [...back, ...around.slice(0, -1)]
  return limit
}

function isTooNear(
  { limits, robotMounted }: PlanSettings,
  taught: Attempt | Sighting,
  hand: Pose,
  { camera, grid }: Unknowns,
): boolean {
  const arm = robotMounted ? hand : inverted(hand)
  const { x, y, z } = composed(inverted(composed(arm, camera)), grid).position
  const first = taught.grid?.position
  const nearest = limits.nearest ?? (first ? 0.6 * Math.hypot(first.x, first.y, first.z) : 0)
  return Math.hypot(x, y, z) < passing * nearest
}

export type LimitName = 'cone' | 'box' | 'floor' | 'reach'

/** The first limit that a pose of the hand exceeds. @param unknowns camera and grid as far as known */
function beyond(
  { limits: { cone, box, floor, reach }, robotMounted, grid }: PlanSettings,
  taught: Pose,
  hand: Pose,
  unknowns: Unknowns | undefined,
): LimitName | undefined {
  const turn = product(conjugated(taught.orientation), hand.orientation)
  if (degrees(angleOf(turn)) > cone) return 'cone'
  if (reach !== undefined && distance(hand.position, { x: 0, y: 0, z: 0 }) > reach) return 'reach'
  const carried = unknowns ? (robotMounted ? [unknowns.camera] : cornersOf(unknowns.grid, grid)) : []
  const points = [hand.position, ...carried.map((each) => composed(hand, each).position)]
  if (box && !points.every((point) => isInside(point, box.least, box.most))) return 'box'
  return floor !== undefined && points.some(({ z }) => z < floor) ? 'floor' : undefined
}

const isInside = (point: Vector, least: Vector, most: Vector) =>
  (['x', 'y', 'z'] as const).every((axis) => point[axis] >= least[axis] && point[axis] <= most[axis])

const cornersOf = (grid: Pose, { width, height }: { width: number; height: number }): Pose[] =>
  [-1, 1].flatMap((across) =>
    [-1, 1].map((down) =>
      composed(grid, {
        position: { x: (across * width) / 2, y: (down * height) / 2, z: 0 },
        orientation: { w: 1, x: 0, y: 0, z: 0 },
      }),
    ),
  )

/** A straight path in steps of at most this size; without the first pose, with the last. */
export function stepsTo(from: Pose, to: Pose, step: { metres: number; degrees: number }): Pose[] {
  const turn = product(conjugated(from.orientation), to.orientation)
  const count = Math.ceil(
    Math.max(1, distance(from.position, to.position) / step.metres, degrees(angleOf(turn)) / step.degrees) -
      1e-9,
  )
  const { x, y, z } = rotationVectorOf(turn)
  return Array.from({ length: count }, (_, index): Pose => {
    if (index + 1 === count) return to
    const share = (index + 1) / count
    const along = (axis: 'x' | 'y' | 'z') =>
      from.position[axis] + share * (to.position[axis] - from.position[axis])
    return {
      position: { x: along('x'), y: along('y'), z: along('z') },
      orientation: product(from.orientation, ofRotationVector({ x: share * x, y: share * y, z: share * z })),
    }
  })
}

const sameDegrees = 8 // closer poses are the same to a camera
const sameMetres = 0.03
/** Around a direction in which the grid was not detected, as far again is useless. */
const besideDegrees = 40

/** Close to a pose without the grid, or in the same direction from the taught pose and at least as far. */
function repeatsFailure(attempts: readonly Attempt[], robot: Pose): boolean {
  const taught = attempts[0]
  if (!taught) return false
  const path = turnTo(taught.robot, robot)
  return attempts.some((attempt) => {
    if (isSighting(attempt) || attempt.purpose === 'again') return false
    if (isSame(attempt.robot, robot)) return true
    if (attempt.purpose !== 'view') return false
    const failed = turnTo(taught.robot, attempt.robot)
    return angleBetween(path, failed) < besideDegrees && lengthOf(path) >= 0.8 * lengthOf(failed)
  })
}

const isSame = (one: Pose, other: Pose): boolean =>
  degrees(angleOf(product(conjugated(one.orientation), other.orientation))) < sameDegrees &&
  distance(one.position, other.position) < sameMetres

/** Axis of the hand's rotation from one pose to another, in the base; longer for larger rotations. */
function turnTo(from: Pose, to: Pose): Vector {
  const { w, x, y, z } = product(to.orientation, conjugated(from.orientation))
  const sign = w < 0 ? -1 : 1
  return { x: sign * x, y: sign * y, z: sign * z }
}

const lengthOf = ({ x, y, z }: Vector) => Math.hypot(x, y, z)

function angleBetween(one: Vector, other: Vector): number {
  const scale = lengthOf(one) * lengthOf(other)
  if (scale < 1e-9) return 180
  const cosine = (one.x * other.x + one.y * other.y + one.z * other.z) / scale
  return degrees(Math.acos(Math.min(1, Math.max(-1, cosine))))
}

/** The result of all observations so far. */
export interface Evidence {
  result: HandEyeResult
  /** By index among the observations; not part of the result. */
  outliers: Outlier[]
  fit: Fit
  noise: Noise
  weights: ReturnType<typeof weightsOf>
}

const conspicuous = 1.7 // A misfit this far above the ordinary justifies a search for outliers

/** Solves the observations without outliers. @returns undefined if they determine nothing yet */
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
  const inliers = sightings.filter((_, index) => !bad.some((each) => each.index === index))
  const result = bad.length ? solveHandEye(inliers, options) : all
  if (!result.solved) return undefined
  const { gridTurnDegrees, translation, robotTurnDegrees } = result.noise
  const noise = [radians(gridTurnDegrees), translation, radians(robotTurnDegrees)].map(
    (deviation) => 2 * Math.log(deviation),
  ) as unknown as Noise
  const stations = inliers.map((each) => station(each, settings.robotMounted))
  const weights = { ...weightsOf(stations, options), whiten: byNoise(noise) }
  const found = fit({ ...weights, stations }, { camera: result.camera, grid: result.grid })
  return found && { result, outliers: bad, fit: found, noise, weights }
}

/** Last search of each plan: a forecast repeats it for the same observations. */
const searches = new WeakMap<PlanSettings, { among: readonly Sighting[]; found: Outlier[] }>()

/** Outliers among real observations. Assumed ones fit by themselves, and come last. */
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

/** Uncertainty of the grid's position at a pose, metres. */
function doubtAt({ fit: { unknowns, covariance }, weights }: Evidence, at: Station): number {
  const { jacobian } = residual(at, unknowns, weights.robotMounted)
  const effect = new Matrix(jacobian.slice(3).map((row) => weights.free.map((unknown) => row[unknown] ?? 0)))
  return doubtOf(effect, covariance)
}

/** Expected accuracy, relative to the required one: below 1 is enough. */
interface Expectation {
  add: (robot: Pose, seen: Pose) => number
  now: number
}

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
