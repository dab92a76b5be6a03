import { CholeskyDecomposition, determinant, Matrix, solve } from 'ml-matrix'
import { whitening, type Noise } from '../hand-eye/noise'
import {
  residual,
  residualCount,
  stepped,
  unknownCount,
  type Residual,
  type Station,
  type Unknowns,
} from '../hand-eye/station'
import { dot, sumOf, zeros } from '../hand-eye/sums'

/** Stations with the noise of their sources known up to a common factor. */
export interface FitProblem {
  stations: readonly Station[]
  robotMounted: boolean
  /** Indices of the changes of the unknowns to solve for. */
  free: readonly number[]
  whiten: Whiten
}

/** Scales the errors of a station to independent ones of variance one, up to a common factor. */
export type Whiten = (station: Station, seen: Residual) => (errors: readonly number[]) => number[]

/** With the same noise of the sources at all stations. */
export const byNoise =
  (noise: Noise): Whiten =>
  (_, seen) =>
    whitening(seen, noise)

/** Least squares over all stations, with fixed weights. */
export interface Fit {
  unknowns: Unknowns
  /** Sum of the squares of the errors, in units of the noise. */
  squares: number
  /** Errors less unknowns. */
  freedom: number
  /** Covariance of the free unknowns, and its inverse. */
  covariance: Matrix
  information: Matrix
}

const mostSteps = 30
/** A change of the sum of squares that is smaller than this share does not name another pose. */
const enough = 1e-7

/**
 * Gauss-Newton steps from a start, shortened until the errors shrink.
 *
 * @returns undefined if the stations do not determine an unknown
 */
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

/** Without the derivatives of the noise, which a solver needs, so that a set can be fitted many times. */
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

/** The errors of a station and the effect of each free unknown on them, in units of the noise. */
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

/** A factor that is shorter than the longest by this belongs to an unknown that the poses do not determine. */
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

/** How far a station is from what a fit without it predicts: mean square of six errors in units of the noise. */
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
 * Logarithm of the restricted likelihood of what the noise is like, with its size fitted, up to a constant.
 *
 * @param leastSquare of an error: exact stations would make any noise infinitely likely
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
