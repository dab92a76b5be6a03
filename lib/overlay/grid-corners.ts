import { composed, identity, type Pose } from '../robotics/pose'
import { pixelOf, type OverlayCamera, type Pixel } from './camera'

/** A calibration grid of squares. */
export interface OverlayGrid {
  /** Of the outline, metres. */
  width: number
  height: number
  /** Squares. */
  columns: number
  rows: number
}

/** Squares in a row or a column that are drawn. */
const mostSquares = 60

/**
 * Where a recognised calibration grid has its inner corners in the picture, row by row: what `overlayOf` takes as `grid`.
 * @param pose of its centre in the camera frame, metres: x along the rows, y down the columns
 */
export function gridCorners(
  { width, height, columns, rows }: OverlayGrid,
  pose: Pose,
  camera: OverlayCamera,
): Pixel[] {
  const corners: Pixel[] = []
  for (let row = 1; row < Math.min(rows, mostSquares); row++)
    for (let column = 1; column < Math.min(columns, mostSquares); column++) {
      const position = { x: (column / columns - 0.5) * width, y: (row / rows - 0.5) * height, z: 0 }
      const pixel = pixelOf(
        camera,
        composed(pose, { position, orientation: identity().orientation }).position,
      )
      if (pixel) corners.push(pixel)
    }
  return corners
}
