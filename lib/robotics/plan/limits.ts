import { composed, distance, product, type Pose, type Vector } from '../pose'
import type { Unknowns } from '../hand-eye/station'
import { angleOf, conjugated, degrees } from '../quaternion'
import type { PlanSettings } from './settings'

/** A limit that a pose is beyond. */
export type LimitName = 'cone' | 'box' | 'floor' | 'reach'

/**
 * The first limit that a pose of the hand is beyond; undefined within all. A way is judged by each of its poses.
 *
 * @param unknowns camera and grid as far as they are known, for what the hand carries
 */
export function beyond(
  { limits: { cone, box, floor, reach }, robotMounted, grid }: PlanSettings,
  taught: Pose,
  hand: Pose,
  unknowns: Unknowns | undefined,
): LimitName | undefined {
  const turn = product(conjugated(taught.orientation), hand.orientation)
  if (degrees(angleOf(turn)) > cone) return 'cone'
  if (reach !== undefined && distance(hand.position, { x: 0, y: 0, z: 0 }) > reach) return 'reach'
  const carried = unknowns ? (robotMounted ? [unknowns.camera] : cornersOf(unknowns.grid, grid)) : []
  const points = [hand.position, ...carried.map((each) => composed(hand, each).position)]
  if (box && !points.every((point) => isInside(point, box.least, box.most))) return 'box'
  return floor !== undefined && points.some(({ z }) => z < floor) ? 'floor' : undefined
}

const isInside = (point: Vector, least: Vector, most: Vector) =>
  (['x', 'y', 'z'] as const).every((axis) => point[axis] >= least[axis] && point[axis] <= most[axis])

const cornersOf = (grid: Pose, { width, height }: { width: number; height: number }): Pose[] =>
  [-1, 1].flatMap((across) =>
    [-1, 1].map((down) =>
      composed(grid, {
        position: { x: (across * width) / 2, y: (down * height) / 2, z: 0 },
        orientation: { w: 1, x: 0, y: 0, z: 0 },
      }),
    ),
  )
