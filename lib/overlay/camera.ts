import { composed, identity, type Pose, type Vector } from '../robotics/pose'

/** How a rectified picture was taken, as it comes with each image of the device. */
export interface OverlayCamera {
  /** Pixels. */
  width: number
  height: number
  /** Pixels of this picture. */
  focalLength: number
  /** Pixels; the centre of the first pixel is 0, 0. */
  principalPoint: { u: number; v: number }
}

/** A place in the picture, pixels from the centre of the first one: right, down. */
export interface Pixel {
  u: number
  v: number
}

/** Points nearer than this cannot be projected, metres. */
const nearest = 0.02

/** Where a point of the camera frame is in the picture; undefined beside or behind the camera. */
export function pixelOf(
  { focalLength, principalPoint }: OverlayCamera,
  { x, y, z }: Vector,
): Pixel | undefined {
  if (!(z >= nearest)) return undefined
  const pixel = {
    u: principalPoint.u + (focalLength * x) / z,
    v: principalPoint.v + (focalLength * y) / z,
  }
  return Number.isFinite(pixel.u) && Number.isFinite(pixel.v) ? pixel : undefined
}

/** Whether a place is in the picture. */
export const isInside = ({ width, height }: OverlayCamera, { u, v }: Pixel): boolean =>
  u >= -0.5 && v >= -0.5 && u <= width - 0.5 && v <= height - 0.5

/** Whether pictures can be drawn over with these numbers. */
export const isCamera = (given: OverlayCamera): boolean =>
  [given.width, given.height, given.focalLength].every((value) => value > 0 && value <= 1e6) &&
  [given.principalPoint.u, given.principalPoint.v].every((value) => Math.abs(value) <= 1e6)

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
