import { CholeskyDecomposition, inverse, Matrix } from 'ml-matrix'
import { ofRotationVector, product, type HandEyeObservation, type Pose } from '../../lib/robotics'
import { matrixOf } from '../../lib/robotics/pose'
import { planCamera, planGrid } from './planned-runs'
import { normal, noiseTimes, sheetCell, sheetSet } from './sheet-sets'

/** Along both edges of the grid. */
const corners = { across: 12, down: 8 }

/** Fitted to corners that are off by so many pixels. */
export function seenByCorners(seen: Pose, pixels: number, random: () => number): Pose {
  const covariance = inverse(informationOf(seen)).mul(pixels ** 2)
  const root = new CholeskyDecomposition(Matrix.add(covariance, covariance.transpose()).mul(0.5))
  const unit = Matrix.columnVector(Array.from({ length: 6 }, () => normal(random)))
  const [a = 0, b = 0, c = 0, dx = 0, dy = 0, dz = 0] = root.lowerTriangularMatrix.mmul(unit).to1DArray()
  const { x, y, z } = seen.position
  return {
    position: { x: x + dx, y: y + dy, z: z + dz },
    orientation: product(ofRotationVector({ x: a, y: b, z: c }), seen.orientation),
  }
}

/** Good poses with the noise of corners in pictures; robot noise as a multiple of the usual one. */
export function cornerSet(seed: number, poses: number, { pixels, robot }: { pixels: number; robot: number }) {
  const cell = sheetCell(seed % 2 === 0, 950_000 + seed, noiseTimes({ robot, grid: 0 }))
  const observations = sheetSet(cell, poses).map((each): HandEyeObservation => ({
    robot: each.robot,
    grid: seenByCorners(each.grid, pixels, cell.random),
  }))
  return { observations, robotMounted: cell.robotMounted }
}

/** Of turns about the camera's axes, then moves. */
function informationOf({ position, orientation }: Pose): Matrix {
  const [a, b, , c, d, , e, f] = matrixOf(orientation)
  const rows = Array.from({ length: corners.across * corners.down }, (_, index) => {
    const column = index % corners.across
    const g = planGrid.width * ((column + 1) / (corners.across + 1) - 0.5)
    const h = planGrid.height * (((index - column) / corners.across + 1) / (corners.down + 1) - 0.5)
    const [x, y, z] = [a * g + b * h, c * g + d * h, e * g + f * h]
    const depth = position.z + z
    const [u, v] = [(position.x + x) / depth, (position.y + y) / depth]
    return [
      [-u * y, z + u * x, -y, 1, 0, -u],
      [-(z + v * y), v * x, x, 0, 1, -v],
    ].map((row) => row.map((each) => (each * planCamera.focalLength) / depth))
  }).flat()
  const effects = new Matrix(rows)
  return effects.transpose().mmul(effects)
}
