import type { Pose, Vector } from '../../robotics/pose'
import { matrixOf } from '../../robotics/rotation'

/** A box anywhere in a frame. */
export interface Box {
  /** Of its centre. */
  pose: Pose
  /** Lengths of its edges along its own axes, metres. */
  size: Vector
}

/** Whether a position lies in the box or on its surface; metres, in the frame of the box's pose. */
export function insideOf({ pose: { position, orientation }, size }: Box) {
  const [a, b, c, d, e, f, g, h, i] = matrixOf(orientation)
  const [halfX, halfY, halfZ] = [size.x / 2, size.y / 2, size.z / 2]
  return (x: number, y: number, z: number): boolean => {
    const [fromX, fromY, fromZ] = [x - position.x, y - position.y, z - position.z]
    // The columns of the matrix are the axes of the box.
    return (
      Math.abs(a * fromX + d * fromY + g * fromZ) <= halfX &&
      Math.abs(b * fromX + e * fromY + h * fromZ) <= halfY &&
      Math.abs(c * fromX + f * fromY + i * fromZ) <= halfZ
    )
  }
}
