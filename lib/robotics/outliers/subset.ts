import { CholeskyDecomposition, determinant, inverse, Matrix, solve } from 'ml-matrix'
import { priorOf } from '../hand-eye/likelihood'
import {
  type GivenCoordinate,
  type HandEyeOptions,
  startOfFourAxisRobot,
  startOfFullRobot,
} from '../hand-eye/solve'
import {
  dot,
  gramian,
  type Noise,
  residual,
  type Residual,
  residualCount,
  sources,
  type Station,
  stepped,
  sumOf,
  unknownCount,
  type Unknowns,
  whitening,
  zeros,
} from '../hand-eye/station'
import { type Pose, matrixOf } from '../pose'

/** Multiples of a robot's usual rotation noise, under which all tests must agree. */
export const robotShares = [0.5, 2, 6] as const
/** The multiple for comparing poses with each other. */
export const usualShare = 2

type NoiseIdea =
  /** Isotropic: rotation noise of the robot, as a multiple of the usual one. */
  | number
  /** Of a grid in a picture: its position across the line of sight, as a multiple of the robot's. */
  | { picture: number }

export const noiseIdeas: readonly NoiseIdea[] = [
  ...robotShares,
  ...[Infinity, 0.5, 0.1].map((picture) => ({ picture })),
]

/** Common to all subsets of a set. */
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
  const known = pictureCovariances(stations)
  const [, move, turn] = usualNoise(stations, Math.max(...robotShares))
  const less = 2 * Math.log(idea.picture)
  const robot: Noise = [-Infinity, move - less, turn - less]
  return (station, seen) => pictureWhitening(known(station), seen, robot)
}

/** From the pictures, or the usual one; in units of a usual variance of the position across the line of sight. */
function pictureCovariances(stations: readonly Station[]): (station: Station) => Matrix {
  const usual = sumOf(stations, ({ seen: { position: p } }) => Math.hypot(p.x, p.y, p.z)) / stations.length
  const measured = stations.flatMap(({ covariance }) =>
    covariance ? [new Matrix(covariance.map((row) => [...row]))] : [],
  )
  const isMeasured = measured.length === stations.length
  const across = measured.map((each) => each.get(3, 3) + each.get(4, 4)).sort((one, other) => one - other)
  const unit = (across[across.length >> 1] ?? 2) / 2
  const known = new Map(
    stations.map((each, index) => {
      const own = isMeasured ? measured[index] : undefined
      return [each, own ? Matrix.div(own, unit) : pictureCovariance(each.seen, usual)]
    }),
  )
  return (station) => known.get(station) ?? pictureCovariance(station.seen, usual)
}

function usualNoise(stations: readonly Station[], robotShare: number): Noise {
  const [turn, move, robotTurn] = priorOf(stations).mean
  return [turn, move, robotTurn + 2 * Math.log(robotShare)]
}

/** Fit of some stations, started from their own closed form: a bad pose among all must not decide the start. */
export function fitOf(stations: readonly Station[], { given, ...weights }: Weights): Fit | undefined {
  const start = given ? startOfFourAxisRobot(stations, given) : startOfFullRobot(stations)
  return fit({ ...weights, stations }, start)
}

/** The noise of the sources is known up to a common factor. */
interface FitProblem {
  stations: readonly Station[]
  robotMounted: boolean
  /** Indices of the unknowns to solve for. */
  free: readonly number[]
  whiten: Whiten
}

/** Scales the errors of a station to independent ones of variance one, up to a common factor. */
type Whiten = (station: Station, seen: Residual) => (errors: readonly number[]) => number[]

/** The same noise at all stations. */
export const byNoise =
  (noise: Noise): Whiten =>
  (_, seen) =>
    whitening(seen, noise)

export interface Fit {
  unknowns: Unknowns
  /** Of the errors, in units of the noise. */
  squares: number
  /** Errors less unknowns. */
  freedom: number
  /** Covariance of the free unknowns, and its inverse. */
  covariance: Matrix
  information: Matrix
}

const mostSteps = 30
const enough = 1e-7 // relative change of the sum of squares at convergence

/** Gauss-Newton steps, shortened until the errors shrink. @returns undefined if an unknown is undetermined */
export function fit(problem: FitProblem, start: Unknowns): Fit | undefined {
  let now = at(problem, start)
  for (let count = 0; now && count < mostSteps; count += 1) {
    const next = better(problem, now)
    if (!next) break
    const gained = now.squares - next.squares
    now = next
    if (gained <= enough * now.squares + 1e-12) break
  }
  if (!now) return undefined
  const { factor, information, unknowns, squares, freedom } = now
  return { unknowns, squares, freedom, information, covariance: factor.solve(Matrix.eye(information.rows)) }
}

interface Stepping extends Omit<Fit, 'covariance'> {
  /** Of the information. */
  factor: CholeskyDecomposition
  step: number[]
}

/** Without the derivatives of the noise, so that a set can be fitted many times. */
function at({ stations, robotMounted, free, whiten }: FitProblem, unknowns: Unknowns): Stepping | undefined {
  const width = free.length
  const information = Array.from({ length: width }, () => zeros(width))
  const slope = zeros(width)
  let squares = 0
  for (const each of stations) {
    const { error, columns } = whitenedErrors(each, unknowns, { robotMounted, free, whiten })
    squares += dot(error, error)
    columns.forEach((column, row) => {
      slope[row] = (slope[row] ?? 0) + dot(column, error)
      const own = information[row] ?? []
      for (let other = 0; other <= row; other += 1)
        own[other] = (own[other] ?? 0) + dot(column, columns[other] ?? [])
    })
  }
  for (let row = 0; row < width; row += 1)
    for (let other = 0; other < row; other += 1)
      (information[other] ?? [])[row] = information[row]?.[other] ?? 0
  const inverse = new Matrix(information)
  const factor = new CholeskyDecomposition(inverse)
  const diagonal = factor.lowerTriangularMatrix.diagonal()
  if (!(Math.min(...diagonal) > open * Math.max(...diagonal)) || !Number.isFinite(squares)) return undefined
  return {
    unknowns,
    squares,
    freedom: residualCount * stations.length - width,
    information: inverse,
    factor,
    step: factor.solve(Matrix.columnVector(slope)).mul(-1).to1DArray(),
  }
}

/** The errors of a station and their derivatives by the free unknowns, in units of the noise. */
export function whitenedErrors(
  station: Station,
  unknowns: Unknowns,
  { robotMounted, free, whiten }: Omit<FitProblem, 'stations'>,
) {
  const seen = residual(station, unknowns, robotMounted)
  const scaled = whiten(station, seen)
  return {
    error: scaled(seen.error),
    columns: free.map((unknown) => scaled(seen.jacobian.map((row) => row[unknown] ?? 0))),
  }
}

/** A factor shorter than the longest by this belongs to an undetermined unknown. */
const open = 1e-7

function better(problem: FitProblem, now: Stepping): Stepping | undefined {
  for (let share = 1; share > 1e-3; share /= 2) {
    const step = zeros(unknownCount)
    for (const [index, unknown] of problem.free.entries()) step[unknown] = share * (now.step[index] ?? 0)
    const next = at(problem, stepped(now.unknowns, step))
    if (next && next.squares < now.squares) return next
  }
  return undefined
}

/** Deviation of a station from the prediction of a fit without it: mean square of six errors in units of the noise. */
export function predictionMisfit(
  problem: Omit<FitProblem, 'stations'>,
  { unknowns, covariance }: Fit,
  station: Station,
): number {
  const { error, columns } = whitenedErrors(station, unknowns, problem)
  const effect = new Matrix(columns).transpose()
  const spread = Matrix.eye(error.length).add(effect.mmul(covariance).mmul(effect.transpose()))
  const off = Matrix.columnVector(error)
  return off.transpose().mmul(solve(spread, off)).get(0, 0) / error.length
}

/**
 * Log restricted likelihood of a noise hypothesis with fitted size, up to a constant. @param leastSquare of an error:
 * exact stations would make any noise infinitely likely
 */
export function likelihoodOf(
  { stations, robotMounted, whiten }: FitProblem,
  { unknowns, squares, freedom, information }: Fit,
  leastSquare: number,
): number {
  const units = Matrix.eye(residualCount).to2DArray()
  const volume = sumOf(stations, (each) => {
    const scaled = whiten(each, residual(each, unknowns, robotMounted))
    return Math.log(Math.abs(determinant(new Matrix(units.map(scaled)))))
  })
  const size = (freedom / 2) * Math.log(Math.max(squares / freedom, leastSquare))
  return volume - size - Math.log(determinant(information)) / 2
}

/** From the centre of a grid to the outermost of nine points that represent its corners, as a share of the distance. */
const reach = 1 / 8
const places = [-1, 0, 1].flatMap((across) => [-1, 0, 1].map((down) => [across, down] as const))

/**
 * Covariance of the pose of a grid whose corners are found in a picture, all equally well: the turn about the line of
 * sight is ten times as accurate as a tilt of a grid that faces the camera; a tilt is more accurate the larger it is.
 * @param usual distance, metres, at which the position across the line of sight has a variance of one
 */
function pictureCovariance({ position, orientation }: Pose, usual: number): Matrix {
  const [a, b, , c, d, , e, f] = matrixOf(orientation)
  const rows = places.flatMap(([across, down]) => {
    const [g, h] = [across * reach * usual, down * reach * usual]
    const [x, y, z] = [a * g + b * h, c * g + d * h, e * g + f * h]
    // A wrong pose may be behind the camera.
    const depth = Math.max(position.z + z, usual / 10)
    const [u, v, scale] = [
      (position.x + x) / depth,
      (position.y + y) / depth,
      usual / depth / Math.sqrt(places.length),
    ]
    return [
      [-u * y, z + u * x, -y, 1, 0, -u].map((each) => scale * each),
      [-(z + v * y), v * x, x, 0, 1, -v].map((each) => scale * each),
    ]
  })
  return inverse(new Matrix(gramian(rows)))
}

/** Scales the errors of a grid in a picture together with those of a robot. */
function pictureWhitening(
  picture: Matrix,
  seen: Residual,
  robot: Noise,
): (errors: readonly number[]) => number[] {
  const both = Matrix.add(picture, new Matrix(gramian(sources(seen, robot).flat())))
  const root = new CholeskyDecomposition(Matrix.add(both, both.transpose()).mul(0.5)).lowerTriangularMatrix
  const scaled = solve(root, Matrix.eye(root.rows)).to2DArray()
  return (errors) => scaled.map((row) => dot(row, errors))
}
