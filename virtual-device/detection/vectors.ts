import { inverted, rotated, type Pose, type Vector } from '../../lib/robotics/pose'

export const dot = (one: Vector, other: Vector): number => one.x * other.x + one.y * other.y + one.z * other.z
export const scaled = ({ x, y, z }: Vector, by: number): Vector => ({ x: x * by, y: y * by, z: z * by })
export const sum = (one: Vector, other: Vector): Vector => ({
  x: one.x + other.x,
  y: one.y + other.y,
  z: one.z + other.z,
})
export const lengthOf = ({ x, y, z }: Vector): number => Math.hypot(x, y, z)

/** The direction of a frame's axis. */
export const axisOf = ({ orientation }: Pose, axis: 'x' | 'y' | 'z'): Vector =>
  rotated({ x: 0, y: 0, z: 0, [axis]: 1 }, orientation)

/** Angle between two directions, radians. */
export const angleBetween = (one: Vector, other: Vector): number =>
  Math.acos(Math.min(1, Math.max(-1, dot(one, other) / (lengthOf(one) * lengthOf(other)))))

/** The point in the frame with that pose. */
export function seenFrom(pose: Pose, point: Vector): Vector {
  const { position, orientation } = inverted(pose)
  return sum(position, rotated(point, orientation))
}
