import { Matrix, SingularValueDecomposition } from 'ml-matrix'
import { rotated, type Quaternion } from '../pose'
import { matrixOf, quaternionOf, type RotationMatrix } from '../rotation-matrix'
import type { Station, Unknowns } from './station'

/**
 * Closed-form initial solution for robots that turn about two axes or more: Andreff's linear form of the rotations over
 * all pairs of poses at once, then the positions by linear least squares.
 */
export function startOfFullRobot(stations: readonly Station[]): Unknowns {
  // arm · camera · seen = grid for rotations: vec(grid) = (seenᵀ ⊗ arm) vec(camera). The pairs differ only by their
  // common mean, so the best camera over all of them is the first singular vector of that mean, and the grid is its
  // image.
  const mean = Matrix.zeros(9, 9)
  for (const { arm, seen } of stations)
    mean.add(rows(seen.orientation).transpose().kroneckerProduct(rows(arm.orientation)))
  const { leftSingularVectors, rightSingularVectors } = new SingularValueDecomposition(mean, {
    autoTranspose: true,
  })
  const camera = rotationNear(rightSingularVectors.getColumn(0))
  const grid = rotationNear(leftSingularVectors.getColumn(0))
  return positions(stations, camera, grid)
}

function positions(stations: readonly Station[], camera: Quaternion, grid: Quaternion): Unknowns {
  const left: number[][] = []
  const right: number[][] = []
  for (const { arm, seen } of stations) {
    const r = matrixOf(arm.orientation)
    const inHand = rotated(rotated(seen.position, camera), arm.orientation)
    left.push([r[0], r[1], r[2], -1, 0, 0], [r[3], r[4], r[5], 0, -1, 0], [r[6], r[7], r[8], 0, 0, -1])
    right.push([-arm.position.x - inHand.x], [-arm.position.y - inHand.y], [-arm.position.z - inHand.z])
  }
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = leastSquares(left, right)
  return {
    camera: { position: { x: a, y: b, z: c }, orientation: camera },
    grid: { position: { x: d, y: e, z: f }, orientation: grid },
  }
}

/** The shortest solution if the equations are underdetermined. */
export const leastSquares = (left: number[][], right: number[][]): number[] =>
  new SingularValueDecomposition(new Matrix(left), { autoTranspose: true })
    .solve(new Matrix(right))
    .to1DArray()

const rows = (orientation: Quaternion) => Matrix.from1DArray(3, 3, [...matrixOf(orientation)])

/** The rotation closest to nine numbers, column by column, that are a rotation times any factor. */
function rotationNear(columns: readonly number[]): Quaternion {
  const given = Matrix.from1DArray(3, 3, [...columns]).transpose()
  const { leftSingularVectors: u, rightSingularVectors: v } = new SingularValueDecomposition(given)
  const nearest = u.mmul(v.transpose())
  const [a, b, c, d, e, f, g, h, i] = nearest.to1DArray() as unknown as RotationMatrix
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  return quaternionOf(nearest.mul(Math.sign(determinant)).to1DArray() as unknown as RotationMatrix)
}
