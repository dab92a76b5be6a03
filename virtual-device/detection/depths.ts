import type { Vector } from '../../lib/robotics/pose'
import { deviation, scaled, sum, type Pixel, type View } from './geometry'

/** A rectangle of the full image, px. */
export interface Rectangle {
  offset_x: number
  offset_y: number
  width: number
  height: number
}

/** The share of a part of the image that has a depth, 0 to 1, and its nearest, mean and farthest point. */
export interface Depths {
  coverage: number
  min: Vector
  mean: Vector
  max: Vector
}

export interface DepthImage {
  view: View
  /** Lengths of the direction to the first hit. */
  cast: (from: Vector, direction: Vector) => number
  /** Nearest and farthest measurable depth, metres. */
  range: readonly [number, number]
  random: () => number
  /** Standard deviation of a depth, metres. */
  noise: number
}

/** Our choice: the share of pixels without a depth. */
const holes = 0.03

const camera = { x: 0, y: 0, z: 0 }

/**
 * The depths in a rectangle of the depth image.
 * @param rays number of rays in each direction
 */
export function depthsIn(
  { offset_x, offset_y, width, height }: Rectangle,
  { view, cast, range: [nearest, farthest], random, noise }: DepthImage,
  rays: number,
): Depths {
  const columns = spread(offset_x, width, rays)
  const pixels: Pixel[] = spread(offset_y, height, rays).flatMap((y) => columns.map((x) => ({ x, y })))
  const points = pixels.flatMap((pixel) => {
    const ray = view.ray(pixel)
    const depth = cast(camera, ray) + deviation(random, noise)
    const measured = random() >= holes && depth >= nearest && depth <= farthest
    return measured ? [scaled(ray, depth)] : []
  })
  const [first] = points
  if (!first) return { coverage: 0, min: camera, mean: camera, max: camera }
  return {
    coverage: points.length / pixels.length,
    min: points.reduce((one, other) => (other.z < one.z ? other : one), first),
    mean: scaled(points.reduce(sum), 1 / points.length),
    max: points.reduce((one, other) => (other.z > one.z ? other : one), first),
  }
}

/** Evenly distributed over a length; one per pixel for a short one. */
function spread(offset: number, length: number, most: number): number[] {
  const count = Math.min(most, length)
  return Array.from({ length: count }, (_, index) => offset + ((index + 0.5) / count) * length)
}
