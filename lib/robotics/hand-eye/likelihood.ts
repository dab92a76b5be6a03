import { EigenvalueDecomposition, inverse, Matrix, QrDecomposition, solve } from 'ml-matrix'
import {
  dot,
  gramian,
  leastNoise,
  logDeterminant,
  type Noise,
  noiseCount,
  residual,
  residualCount,
  sources,
  type Station,
  stepped,
  sumOf,
  unknownCount,
  type Unknowns,
  whitening,
  zeros,
} from './station'

interface LikelihoodProblem extends Observed {
  prior: Prior
}

/** How well unknowns and noise explain the observations, with the step to a better explanation. */
interface Likelihood {
  /** Negative log restricted likelihood, including the prior. */
  value: number
  /** Gauss-Newton step of the free unknowns, and the following step of the noise. */
  step: number[]
  noiseStep: number[]
  gain: number
  white: Whitened
  gramians: Matrix[]
  /** Inverse covariance of the noise. */
  curvature: Matrix
}

/** Undefined if the poses do not determine an unknown. */
function likelihood(problem: LikelihoodProblem, unknowns: Unknowns, noise: Noise): Likelihood | undefined {
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
  // For a growing source, the curvature is larger than on average.
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

/** Fixes a source in the equations for the step of the noise. */
function hold(source: number, equations: Matrix, slope: number[]) {
  for (let other = 0; other < slope.length; other += 1) {
    equations.set(source, other, 0)
    equations.set(other, source, 0)
  }
  equations.set(source, source, 1)
  slope[source] = 0
}

export interface Estimate extends Likelihood {
  unknowns: Unknowns
  noise: Noise
}

/** Ten are sufficient, unless all errors are of one kind, as with a grid of the wrong size and no noise. */
const mostSteps = 40

const leastShare = 1e-4 // smallest share of a step that is tried

const enough = 1e-5 // in logarithms of the likelihood: far less than any pose contributes

const farthest = 3 // largest change of a variance in one step, as a natural logarithm

/**
 * The unknowns and the noise that best explain the observations: Gauss-Newton steps on both, shortened until the
 * likelihood grows. @returns undefined if the poses do not determine an unknown
 */
export function estimate(problem: LikelihoodProblem, start: Unknowns): Estimate | undefined {
  let now = at(problem, start, firstNoise(problem, start))
  for (let count = 0; now && now.gain > enough && count < mostSteps; count += 1) {
    const next = better(problem, now)
    if (!next) return now
    now = next
  }
  return now
}

function at(problem: LikelihoodProblem, unknowns: Unknowns, noise: Noise): Estimate | undefined {
  const found = likelihood(problem, unknowns, noise)
  return found && Number.isFinite(found.value) ? { ...found, unknowns, noise } : undefined
}

function better(problem: LikelihoodProblem, now: Estimate): Estimate | undefined {
  let share = Math.min(1, farthest / Math.max(...now.noiseStep.map(Math.abs)))
  for (; share > leastShare; share /= 2) {
    const step = zeros(unknownCount)
    for (const [index, unknown] of problem.free.entries()) step[unknown] = share * (now.step[index] ?? 0)
    const noise = now.noise.map((each, source) =>
      Math.max(leastNoise[source] ?? 0, each + share * (now.noiseStep[source] ?? 0)),
    )
    const next = at(problem, stepped(now.unknowns, step), noise as unknown as Noise)
    if (next && next.value < now.value - 0.2 * share * now.gain) return next
  }
  return undefined
}

/** As large as the initial errors suggest, distributed over the sources in the usual proportion. */
function firstNoise({ stations, robotMounted, prior }: LikelihoodProblem, start: Unknowns): Noise {
  const [turn, move, robotTurn] = prior.mean
  const squares = sumOf(stations, (each) => {
    const { error } = residual(each, start, robotMounted)
    return sumOf(error, (part, index) => part * part * (index < 3 ? Math.exp(-turn) : 1))
  })
  const size = Math.log(squares / (6 * stations.length))
  const [least, leastMove, leastRobot] = leastNoise
  return [
    Math.max(least, size + turn),
    Math.max(leastMove, size + move),
    Math.max(leastRobot, size + robotTurn),
  ]
}

/**
 * Prior knowledge of the noise: not its size, only the proportions of its sources. The ratio of rotation to position
 * noise of a detected grid is a fraction of the distance to the grid; robots rotate more accurately than cameras
 * measure. Normal distributions of the logarithms of the variances relative to that of the translations, wide enough to
 * matter only for few poses.
 */
interface Prior {
  mean: Noise
  /** Infinite for the translations: their size is unknown. */
  deviation: Noise
}

export function priorOf(stations: readonly Station[]): Prior {
  const squares = sumOf(stations, ({ seen: { position: p } }) => p.x ** 2 + p.y ** 2 + p.z ** 2)
  const distance = Math.sqrt(squares / stations.length)
  return {
    mean: [-2 * Math.log(distance / 2), 0, -2 * Math.log(2 * distance)],
    deviation: [2, Infinity, 1.5],
  }
}

/** Negative log density of the prior, with its first and second derivatives by the noise. */
function penalty({ mean, deviation }: Prior, noise: Noise) {
  const curvature = Matrix.zeros(noiseCount, noiseCount)
  const gradient = zeros(noiseCount)
  let value = 0
  for (const source of [0, 2] as const) {
    const weight = 1 / deviation[source] ** 2
    const off = noise[source] - noise[1] - mean[source]
    value += (weight * off * off) / 2
    const signs = zeros(noiseCount)
    signs[source] = 1
    signs[1] = -1
    signs.forEach((sign, index) => (gradient[index] = (gradient[index] ?? 0) + sign * weight * off))
    curvature.add(Matrix.columnVector(signs).mmul(Matrix.rowVector(signs)).mul(weight))
  }
  return { value, gradient, curvature }
}

interface NoiseDerivatives {
  /** Of the log restricted likelihood, by the noise. */
  gradient: number[]
  /** Negative expected second derivatives. */
  information: Matrix
  /** The effect of each source on the unknowns: derivative of their covariance, on the columns of Q. */
  gramians: Matrix[]
}

/**
 * Derivatives of the restricted likelihood, that is after the unknowns have absorbed their share of the errors
 * (Patterson and Thompson 1971): otherwise few poses would look better than they are. @param left residuals at the best
 * values of the unknowns
 */
function noiseDerivatives({ q, sources }: Whitened, left: readonly number[]): NoiseDerivatives {
  const gradient = zeros(noiseCount)
  const information = Matrix.zeros(noiseCount, noiseCount)
  const rows: number[][][] = gradient.map(() => [])
  const add = (one: number, other: number, amount: number) =>
    information.set(one, other, information.get(one, other) + amount)

  sources.forEach((block, station) => {
    const errors = left.slice(station * residualCount, (station + 1) * residualCount)
    const projected = block.map((source) => onQ(q, station, source))
    block.forEach((source, one) => {
      rows[one]?.push(...(projected[one] ?? []))
      const surplus = sumOf(source, (column) => dot(column, errors) ** 2 - dot(column, column))
      gradient[one] = (gradient[one] ?? 0) + surplus / 2
      for (let other = one; other < noiseCount; other += 1)
        add(one, other, common(source, block[other] ?? [], projected[one] ?? [], projected[other] ?? []) / 2)
    })
  })
  const gramians = rows.map((each) => new Matrix(gramian(each)))
  gramians.forEach((each, one) => {
    gradient[one] = (gradient[one] ?? 0) + each.trace() / 2
    for (let other = one; other < noiseCount; other += 1) {
      add(one, other, Matrix.mul(each, gramians[other] ?? each).sum() / 2)
      information.set(other, one, information.get(one, other))
    }
  })
  return { gradient, information, gramians }
}

/** Covariance of two sources at one station, less what the unknowns absorb. */
const common = (
  one: readonly number[][],
  other: readonly number[][],
  oneOnQ: readonly number[][],
  otherOnQ: readonly number[][],
) =>
  sumOf(one, (column, i) =>
    sumOf(other, (otherColumn, j) => {
      const direct = dot(column, otherColumn)
      return direct === 0 ? 0 : direct * (direct - 2 * dot(oneOnQ[i] ?? [], otherOnQ[j] ?? []))
    }),
  )

interface Observed {
  stations: readonly Station[]
  robotMounted: boolean
  /** Indices of the unknowns to solve for; the others stay fixed. */
  free: readonly number[]
}

/** The linearised problem with errors of variance one: error + Q R · step. */
interface Whitened {
  error: number[]
  q: number[][]
  inverseR: Matrix
  /** For each station and source, three columns: the effect of the source on the six errors of the station. */
  sources: number[][][][]
  /** Log determinants of the errors' covariance and of the information about the unknowns. */
  logDeterminants: number
}

/** A column of R shorter than the longest by this factor belongs to an undetermined unknown. */
const open = 1e-9

function whitened(
  { stations, robotMounted, free }: Observed,
  unknowns: Unknowns,
  noise: Noise,
): Whitened | undefined {
  const rows: number[][] = []
  const error: number[] = []
  const blocks: number[][][][] = []
  let logDeterminants = 0
  for (const each of stations) {
    const seen = residual(each, unknowns, robotMounted)
    const whiten = whitening(seen, noise)
    const columns = free.map((unknown) => whiten(seen.jacobian.map((row) => row[unknown] ?? 0)))
    for (let row = 0; row < residualCount; row += 1) rows.push(columns.map((column) => column[row] ?? 0))
    error.push(...whiten(seen.error))
    blocks.push(sources(seen, noise).map((source) => source.map(whiten)))
    logDeterminants += logDeterminant(seen, noise)
  }
  const { orthogonalMatrix, upperTriangularMatrix } = new QrDecomposition(new Matrix(rows))
  const diagonal = upperTriangularMatrix.diagonal().map(Math.abs)
  if (!(Math.min(...diagonal) > open * Math.max(...diagonal))) return undefined
  return {
    error,
    q: orthogonalMatrix.to2DArray(),
    inverseR: solve(upperTriangularMatrix, Matrix.eye(free.length)),
    sources: blocks,
    logDeterminants: logDeterminants + 2 * sumOf(diagonal, Math.log),
  }
}

/** Projects columns of one station's errors onto the columns of Q: one row each. */
function onQ(
  q: readonly (readonly number[])[],
  station: number,
  columns: readonly (readonly number[])[],
): number[][] {
  const width = q[0]?.length ?? 0
  return columns.map((column) => {
    const projected = zeros(width)
    for (let row = 0; row < residualCount; row += 1) {
      const part = column[row] ?? 0
      const own = q[station * residualCount + row] ?? []
      if (part !== 0)
        for (let index = 0; index < width; index += 1)
          projected[index] = (projected[index] ?? 0) + part * (own[index] ?? 0)
    }
    return projected
  })
}

interface Certainty {
  /** Standard deviation: root mean square of the distance from the true value. */
  deviation: number
  /** The true value lies within this distance with a probability of 95 %. */
  bound: number
}

/**
 * Covariance of the free unknowns. Larger than the inverse of the normal equations, which would apply if the noise were
 * known: it takes into account that the noise was estimated from the same few poses (Kenward and Roger 1997).
 */
export function covarianceOf({ white, gramians, curvature }: Estimate): Matrix {
  const { inverseR } = white
  const noise = inverse(curvature)
  const width = inverseR.rows
  const surplus = Matrix.zeros(width, width)
  const effects = gramians.map((_, source) => effectOf(white, source))
  effects.forEach((one, i) => {
    const turned = one.transpose()
    effects.forEach((other, j) => {
      const own = gramians[i]?.mmul(gramians[j] ?? other) ?? other
      surplus.add(turned.mmul(other).sub(own).mul(noise.get(i, j)))
    })
  })
  return throughR(inverseR, Matrix.eye(width).add(surplus.mul(2)))
}

/** The effect of a source on each unknown, whitened twice: a row for each error. */
const effectOf = ({ q, sources }: Whitened, source: number) =>
  new Matrix(
    sources.flatMap((block, station) => {
      const own = block[source] ?? []
      const projected = onQ(q, station, own)
      return Array.from({ length: residualCount }, (_, row) =>
        (q[0] ?? []).map((_, index) =>
          sumOf(own, (column, which) => (column[row] ?? 0) * (projected[which]?.[index] ?? 0)),
        ),
      )
    }),
  )

/** @param covariance from {@link covarianceOf} @param indices of the free unknowns of the part */
export function certaintyOf(estimate: Estimate, covariance: Matrix, indices: readonly number[]): Certainty {
  const part = (matrix: Matrix) => matrix.selection([...indices], [...indices])
  const own = part(covariance)
  const variance = own.trace()
  const { realEigenvalues } = new EigenvalueDecomposition(own, { assumeSymmetric: true })
  // A sum of unequal squares behaves like one of fewer equal squares.
  const squares = realEigenvalues.reduce((sum, value) => sum + value * value, 0)
  const dimensions = variance ** 2 / squares
  const factor = fQuantile(0.95, dimensions, degreesOfFreedom(estimate, part))
  return { deviation: Math.sqrt(variance), bound: Math.sqrt(variance * factor) }
}

/** How well the variance of a part is known, as the equivalent number of equal squares (Satterthwaite). */
function degreesOfFreedom(
  { white, gramians, curvature }: Estimate,
  part: (matrix: Matrix) => Matrix,
): number {
  const { inverseR } = white
  const variance = part(throughR(inverseR, Matrix.eye(inverseR.rows))).trace()
  const slopes = Matrix.columnVector(gramians.map((gramian) => part(throughR(inverseR, gramian)).trace()))
  const uncertainty = slopes.transpose().mmul(inverse(curvature)).mmul(slopes).get(0, 0)
  return (2 * variance ** 2) / uncertainty
}

const throughR = (inverseR: Matrix, inner: Matrix) => {
  const product = inverseR.mmul(inner).mmul(inverseR.transpose())
  return product.add(product.transpose()).mul(0.5)
}

/** The value that a ratio of two mean squares with these degrees of freedom exceeds with a probability of `1 - share`. */
export function fQuantile(share: number, above: number, below: number): number {
  // F = x / (1 - x) · below / above, where x follows the beta distribution.
  let [low, high] = [0, 1]
  for (let halving = 0; halving < 60; halving += 1) {
    const middle = (low + high) / 2
    if (betaShare(middle, above / 2, below / 2) < share) low = middle
    else high = middle
  }
  return ((low / (1 - low)) * below) / above
}

/** Regularised incomplete beta function: share of the beta distribution below x. */
export function betaShare(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1
  // The continued fraction converges fast only on this side of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a)
  const factor = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x))
  return (factor / a) * continuedFraction(x, a, b)
}

/** Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  let [above, below, fraction] = [1, 0, 1]
  for (let term = 0; term < 400; term += 1) {
    const half = Math.floor(term / 2)
    const numerator =
      term === 0
        ? 1
        : term % 2 === 0
          ? (half * (b - half) * x) / ((a + term - 1) * (a + term))
          : (-(a + half) * (a + b + half) * x) / ((a + term - 1) * (a + term))
    below = 1 / notZero(1 + numerator * below)
    above = notZero(1 + numerator / above)
    fraction *= above * below
    if (Math.abs(above * below - 1) < 1e-12) break
  }
  return fraction - 1
}

const notZero = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value)

/** Stirling's series, after the recurrence has moved the argument to where it is exact to twelve digits. */
function logGamma(x: number): number {
  if (x < 8) return logGamma(x + 1) - Math.log(x)
  const square = 1 / (x * x)
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / x
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series
}
