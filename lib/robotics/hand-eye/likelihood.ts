import { Matrix, solve } from 'ml-matrix'
import { leastNoise, type Noise } from './noise'
import { noiseDerivatives } from './noise-derivatives'
import { penalty, type Prior } from './prior'
import type { Unknowns } from './station'
import { dot, sumOf } from './sums'
import { whitened, type Observed, type Whitened } from './whitened'

export interface LikelihoodProblem extends Observed {
  prior: Prior
}

/** How well unknowns and noise explain the observations, and the step to a better explanation. */
export interface Likelihood {
  /** Minus the logarithm of the restricted likelihood, including the prior. */
  value: number
  /** Gauss-Newton step of the free unknowns, and the step of the noise after it. */
  step: number[]
  noiseStep: number[]
  /** Expected decrease of the value by the steps. */
  gain: number
  white: Whitened
  gramians: Matrix[]
  /** Inverse of the covariance of the noise. */
  curvature: Matrix
}

/** Undefined if the poses do not determine an unknown. */
export function likelihood(
  problem: LikelihoodProblem,
  unknowns: Unknowns,
  noise: Noise,
): Likelihood | undefined {
  const white = whitened(problem, unknowns, noise)
  if (!white) return undefined
  const { q, inverseR, error } = white
  const explained = problem.free.map((_, column) =>
    sumOf(error, (part, row) => part * (q[row]?.[column] ?? 0)),
  )
  const left = error.map((part, row) => part - dot(explained, q[row] ?? []))
  const { gradient, information, gramians } = noiseDerivatives(white, left)

  const known = penalty(problem.prior, noise)
  const slope = gradient.map((each, source) => each - (known.gradient[source] ?? 0))
  const curvature = Matrix.add(information, known.curvature)
  // For a source that is to grow, the curvature is larger than on average.
  const bent = Matrix.add(curvature, Matrix.diag(gradient.map((each) => Math.max(0, each))))
  for (const [source, least] of leastNoise.entries())
    if ((noise[source] ?? 0) <= least && (slope[source] ?? 0) < 0) hold(source, bent, slope)
  const noiseStep = solve(bent, Matrix.columnVector(slope)).to1DArray()
  return {
    value: (dot(error, error) + white.logDeterminants) / 2 + known.value,
    step: inverseR.mmul(Matrix.columnVector(explained)).mul(-1).to1DArray(),
    noiseStep,
    gain: (dot(explained, explained) + dot(noiseStep, slope)) / 2,
    white,
    gramians,
    curvature,
  }
}

/** Removes a source from the equations for the step of the noise. */
function hold(source: number, equations: Matrix, slope: number[]) {
  for (let other = 0; other < slope.length; other += 1) {
    equations.set(source, other, 0)
    equations.set(other, source, 0)
  }
  equations.set(source, source, 1)
  slope[source] = 0
}
