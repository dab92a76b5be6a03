import { composed, identity, type Pose, type Vector } from '../../lib/robotics/pose'
import { degrees } from '../../lib/robotics/quaternion'
import type { View } from '../detection/view'
import { angleBetween, axisOf, lengthOf } from '../detection/vectors'
import type { CellSettings } from './cell-settings'

type Side = 'left' | 'right' | 'top' | 'bottom'

/** Why a camera does not recognise the grid. Metres and degrees. */
export type Hindrance =
  /** Set in the scenario. */
  | { kind: 'covered' }
  /** The sides at which it leaves the picture. */
  | { kind: 'outside'; sides: Side[] }
  | { kind: 'behind' }
  | { kind: 'backside' }
  | { kind: 'too-near' | 'too-far'; metres: number; limit: number }
  | { kind: 'too-steep'; degrees: number; limit: number }

type Limits = Pick<CellSettings, 'grid_width' | 'grid_height' | 'nearest' | 'farthest' | 'steepest'>

/** @param grid in the camera's frame */
export function hindrance(grid: Pose, limits: Limits, view: View): Hindrance | undefined {
  const { nearest, farthest, steepest } = limits
  const corners = cornersOf(grid, limits)
  if (corners.every(({ z }) => z <= 0)) return { kind: 'behind' }
  if (!corners.every(view.inImage)) return { kind: 'outside', sides: sidesOf(corners, view) }
  const { metres, degrees: angle } = steepness(grid)
  if (angle > 90) return { kind: 'backside' }
  if (metres < nearest) return { kind: 'too-near', metres, limit: nearest }
  if (metres > farthest) return { kind: 'too-far', metres, limit: farthest }
  if (angle > steepest) return { kind: 'too-steep', degrees: angle, limit: steepest }
  return undefined
}

/** The sides of the picture beyond which there are corners. */
function sidesOf(corners: readonly Vector[], { pixel, width, height }: View): Side[] {
  const beyond: Readonly<Record<Side, (corner: Vector) => boolean>> = {
    left: (corner) => pixel(corner).x < 0,
    right: (corner) => pixel(corner).x >= width,
    top: (corner) => pixel(corner).y < 0,
    bottom: (corner) => pixel(corner).y >= height,
  }
  // A point behind the camera is projected far outside, on its own side.
  const ahead = corners.map(({ x, y, z }) => ({ x, y, z: Math.max(z, 1e-3) }))
  return (Object.keys(beyond) as Side[]).filter((side) => ahead.some(beyond[side]))
}

/**
 * The distance of the grid, and the angle between the line of sight and its normal. @param grid in the camera's frame
 */
export function steepness(grid: Pose): { metres: number; degrees: number } {
  // The grid's z points into it: on the front, the line of sight has the same direction.
  const angle = angleBetween(axisOf(grid, 'z'), grid.position)
  return { metres: lengthOf(grid.position), degrees: degrees(angle) }
}

/** The corners of the grid in the camera's frame, clockwise from the top left. */
export function cornersOf(
  grid: Pose,
  { grid_width: width, grid_height: height }: Pick<Limits, 'grid_width' | 'grid_height'>,
): Vector[] {
  const { orientation } = identity()
  return [
    { x: -width / 2, y: -height / 2, z: 0 },
    { x: width / 2, y: -height / 2, z: 0 },
    { x: width / 2, y: height / 2, z: 0 },
    { x: -width / 2, y: height / 2, z: 0 },
  ].map((position) => composed(grid, { position, orientation }).position)
}

/** The message for whoever moves the robot. */
export function sentenceOf(hindrance: Hindrance): string {
  switch (hindrance.kind) {
    case 'covered':
      return 'Grid not detected: it is covered.'
    case 'behind':
      return 'Grid not detected: it is behind the camera.'
    case 'outside':
      return `Grid not detected: it is not wholly in the picture, but leaves it at the ${hindrance.sides.join(' and ')}.`
    case 'backside':
      return 'Grid not detected: the camera sees its back.'
    case 'too-near':
      return `Grid not detected: at ${hindrance.metres.toFixed(2)} m it is nearer than ${hindrance.limit} m.`
    case 'too-far':
      return `Grid not detected: at ${hindrance.metres.toFixed(2)} m it is farther than ${hindrance.limit} m.`
    case 'too-steep':
      return `Grid not detected: seen at ${hindrance.degrees.toFixed(0)} degrees, more than ${hindrance.limit}.`
  }
}
