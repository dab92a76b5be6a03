import type { Pose, Vector } from '../../lib/robotics/pose'
import { axisOf, dot, lengthOf, sum, scaled } from './vectors'

/** A box in any orientation. */
interface TurnedBox {
  middle: Vector
  /** Directions of its edges, each half an edge long. */
  arms: readonly Vector[]
  /** From the centre to a corner. */
  radius: number
}

/** @param half of the edge lengths */
export const turnedBox = ({ half, pose }: { half: Vector; pose: Pose }): TurnedBox => ({
  middle: pose.position,
  arms: (['x', 'y', 'z'] as const).map((axis) => scaled(axisOf(pose, axis), half[axis])),
  radius: lengthOf(half),
})

const cross = (one: Vector, other: Vector): Vector => ({
  x: one.y * other.z - one.z * other.y,
  y: one.z * other.x - one.x * other.z,
  z: one.x * other.y - one.y * other.x,
})
/** Nearly parallel edges define no plane. */
const parallel = 1e-12

/** Whether two boxes have a point in common: no plane along their faces or edges separates them. */
export function boxesTouch(one: TurnedBox, other: TurnedBox): boolean {
  const apart = sum(other.middle, scaled(one.middle, -1))
  if (lengthOf(apart) > one.radius + other.radius) return false
  const arms = [...one.arms, ...other.arms]
  const separates = (normal: Vector) =>
    lengthOf(normal) > parallel &&
    Math.abs(dot(apart, normal)) > arms.reduce((reach, arm) => reach + Math.abs(dot(arm, normal)), 0)
  return (
    !arms.some(separates) && !one.arms.some((arm) => other.arms.some((edge) => separates(cross(arm, edge))))
  )
}
