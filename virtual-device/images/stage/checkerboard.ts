import type { Pose } from '../../../lib/robotics/pose'
import { squaresOf } from '../../cell/grid-squares'
import type { Print } from './stage'

/** A calibration grid. @param pose of its centre: x to its right, y down, z into it */
export function checkerboard(pose: Pose, width: number, height: number): Print {
  const { rows, columns } = squaresOf({ grid_width: width, grid_height: height })
  const fields = Array.from({ length: rows * columns }, (_, index) =>
    ((index % columns) + Math.floor(index / columns)) % 2 === 0 ? black : white,
  )
  return { pose, width, height, columns, rows, fields }
}

/** Albedos of printed paper. */
export const black = 0.04
export const white = 0.85
