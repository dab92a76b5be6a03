import { CholeskyDecomposition, inverse, Matrix, solve } from 'ml-matrix'
import { sources, type Noise } from '../hand-eye/noise'
import type { Residual } from '../hand-eye/station'
import { dot, gramian } from '../hand-eye/sums'
import type { Pose } from '../pose'
import { matrixOf } from '../rotation-matrix'

/** From the centre of a grid to the outermost of nine points that stand for its corners, as a share of the distance. */
const reach = 1 / 8
const places = [-1, 0, 1].flatMap((across) => [-1, 0, 1].map((down) => [across, down] as const))

/**
 * The covariance of the pose of a grid whose corners are found in a picture, all equally well: the turn about the line of
 * sight is seen ten times as well as a tilt of a grid that faces the camera, and a tilt the better the more it is tilted.
 *
 * @param usual distance at which the position across the line of sight has a variance of one, metres
 */
export function pictureCovariance({ position, orientation }: Pose, usual: number): Matrix {
  const [a, b, , c, d, , e, f] = matrixOf(orientation)
  const rows = places.flatMap(([across, down]) => {
    const [g, h] = [across * reach * usual, down * reach * usual]
    const [x, y, z] = [a * g + b * h, c * g + d * h, e * g + f * h]
    // A pose that is wrong may be behind the camera.
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

/** Scales errors that are those of a grid in a picture together with those of a robot. */
export function pictureWhitening(
  picture: Matrix,
  seen: Residual,
  robot: Noise,
): (errors: readonly number[]) => number[] {
  const both = Matrix.add(picture, new Matrix(gramian(sources(seen, robot).flat())))
  const root = new CholeskyDecomposition(Matrix.add(both, both.transpose()).mul(0.5)).lowerTriangularMatrix
  const scaled = solve(root, Matrix.eye(root.rows)).to2DArray()
  return (errors) => scaled.map((row) => dot(row, errors))
}
