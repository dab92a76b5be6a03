import { composed, type Pose } from '../../lib/robotics/pose'
import { ofRotationVector } from '../../lib/robotics/quaternion'
import { measured } from './measured'
import type { Item } from './scene'
import type { Sortable } from './sorting'

/** The upper side of an item. */
export interface Surface extends Sortable {
  item: Item
  /** Pose of its centre, x along the longer edge, z out of the item. */
  pose: Pose
  /** Metres, the longer one first. */
  length: number
  width: number
  /** Square metres. */
  area: number
}

/** Our choice: the share of a curved item's diameters that is flat enough for a suction cup. */
const flatShare = 0.5
/** Our choice: the curvature of a curved item. */
export const curvature = 0.3

/** The surface of an item as measured. @param noise standard deviation of the position, metres */
export function surfaceOf(item: Item, random: () => number, noise: number): Surface {
  const share = item.curved ? flatShare : 1
  const { x, y, z } = item.size
  const turn = ofRotationVector({ x: 0, y: 0, z: y > x ? Math.PI / 2 : 0 })
  const upper = composed(item.pose, { position: { x: 0, y: 0, z: z / 2 }, orientation: turn })
  const length = Math.max(x, y) * share
  const width = Math.min(x, y) * share
  return { item, pose: measured(upper, random, noise), length, width, area: length * width }
}
