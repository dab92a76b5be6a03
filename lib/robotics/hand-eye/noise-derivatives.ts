import { Matrix } from 'ml-matrix'
import { noiseCount } from './noise'
import { residualCount } from './station'
import { dot, gramian, sumOf, zeros } from './sums'
import { onQ, type Whitened } from './whitened'

interface NoiseDerivatives {
  /** Gradient of the logarithm of the restricted likelihood with respect to the noise. */
  gradient: number[]
  /** Negative expected second derivatives. */
  information: Matrix
  /** The effect of each source on the unknowns: the derivative of their covariance, on the columns of Q. */
  gramians: Matrix[]
}

/**
 * Derivatives of the restricted likelihood, that is after the unknowns have absorbed their share of the errors
 * (Patterson and Thompson 1971): otherwise few poses would look better than they are.
 *
 * @param left errors that remain at the best values of the unknowns
 */
export function noiseDerivatives({ q, sources }: Whitened, left: readonly number[]): NoiseDerivatives {
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

/** What two sources have in common at one station, less what the unknowns absorb of it. */
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
