import { EigenvalueDecomposition, inverse, Matrix } from 'ml-matrix'
import { type Estimate, onQ, type Whitened } from './likelihood'
import { residualCount, sumOf } from './station'

/** The accuracy of a part of the result, in the unit of the part. */
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

/**
 * @param covariance from {@link covarianceOf}
 * @param indices of the free unknowns that make up the part
 */
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

/**
 * The value that a ratio of two mean squares with these degrees of freedom (not necessarily whole) exceeds with a
 * probability of only `1 - share`.
 */
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

/** Share of the beta distribution below x: the regularised incomplete beta function. */
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

/** Stirling's series, after the recurrence has moved the argument to where the series is exact to twelve digits. */
function logGamma(x: number): number {
  if (x < 8) return logGamma(x + 1) - Math.log(x)
  const square = 1 / (x * x)
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / x
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series
}
