import { EigenvalueDecomposition, Matrix, inverse } from 'ml-matrix'
import type { Estimate } from './estimate'
import { fQuantile } from './f-quantile'
import { residualCount } from './station'
import { sumOf } from './sums'
import { onQ, type Whitened } from './whitened'

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
