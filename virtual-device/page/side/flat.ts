import { composed, rotated, type Pose, type Vector } from '../../../lib/robotics/pose'

/** A point of the drawing: metres to the right and upwards. */
export interface Flat {
  x: number
  y: number
}

/** Where a point of the cell is in the drawing. */
export type Projection = (point: Vector) => Flat

/** Seen from the side, at right angles to a horizontal direction. @param azimuth of that direction, radians */
export const sideways =
  (azimuth: number): Projection =>
  ({ x, y, z }) => ({ x: x * Math.cos(azimuth) + y * Math.sin(azimuth), y: z })

/** The outline of a box. @param half its edges */
export const boxOutline = (project: Projection, pose: Pose, half: Vector): Flat[] =>
  hull(
    [-1, 1].flatMap((x) =>
      [-1, 1].flatMap((y) =>
        [-1, 1].map((z) => project(pointOf(pose, { x: x * half.x, y: y * half.y, z: z * half.z }))),
      ),
    ),
  )

/** Corners with which an ellipse looks round. */
const roundness = 20

/** The outline of an ellipsoid. @param half its diameters */
export function ellipseOutline(project: Projection, pose: Pose, half: Vector): Flat[] {
  const centre = project(pose.position)
  const axes = [
    { x: half.x, y: 0, z: 0 },
    { x: 0, y: half.y, z: 0 },
    { x: 0, y: 0, z: half.z },
  ].map((axis) => project(rotated(axis, pose.orientation)))
  return Array.from({ length: roundness }, (_, index) => {
    const angle = (2 * Math.PI * index) / roundness
    const [x, y] = [Math.cos(angle), Math.sin(angle)]
    const along = axes.map((axis) => axis.x * x + axis.y * y)
    const reach = Math.hypot(...along) || 1
    const sum = (part: 'x' | 'y') =>
      axes.reduce((total, axis, place) => total + axis[part] * (along[place] ?? 0), 0) / reach
    return { x: centre.x + sum('x'), y: centre.y + sum('y') }
  })
}

export const pointOf = (pose: Pose, position: Vector): Vector =>
  composed(pose, { position, orientation: { w: 1, x: 0, y: 0, z: 0 } }).position

/** The corners of the convex hull, in order. */
export function hull(points: readonly Flat[]): Flat[] {
  const sorted = [...points].sort((one, other) => one.x - other.x || one.y - other.y)
  const half = (all: readonly Flat[]) => {
    const kept: Flat[] = []
    for (const point of all) {
      for (;;) {
        const [before, last] = kept.slice(-2)
        if (!before || !last || turn(before, last, point) > 0) break
        kept.pop()
      }
      kept.push(point)
    }
    return kept.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.reverse())]
}

const turn = (a: Flat, b: Flat, c: Flat) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
