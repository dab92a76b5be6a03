import { Matrix, QrDecomposition, solve } from 'ml-matrix'
import { logDeterminant, sources, whitening, type Noise } from './noise'
import { residual, residualCount, type Station, type Unknowns } from './station'
import { sumOf, zeros } from './sums'

export interface Observed {
  stations: readonly Station[]
  robotMounted: boolean
  /** Indices of the changes of the unknowns to solve for; the others stay fixed. */
  free: readonly number[]
}

/** The linearised problem with errors of variance one: error + Q R · step. */
export interface Whitened {
  error: number[]
  q: number[][]
  inverseR: Matrix
  /** For each station and source, three columns: the effect of the source on the six errors of the station. */
  sources: number[][][][]
  /** Log determinants of the errors' covariance and of the information about the unknowns. */
  logDeterminants: number
}

/**
 * A column of R that is shorter than the longest by this factor belongs to an unknown that the poses do not determine.
 */
const open = 1e-9

export function whitened(
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

/** Projects a list of columns of one station's errors onto the columns of Q: one row for each. */
export function onQ(
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
