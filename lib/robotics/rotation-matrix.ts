import type { Pose, Quaternion } from './pose'
import { normalized } from './quaternion'

/** Nine numbers, row by row. */
export type RotationMatrix = readonly [
  ...(readonly [number, number, number]),
  ...(readonly [number, number, number]),
  ...(readonly [number, number, number]),
]
/** A pose as four by four numbers, row by row; the position is the last column. */
export type Homogeneous = readonly number[]

/** The rotation matrix of a unit quaternion. */
export const matrixOf = ({ w, x, y, z }: Quaternion): RotationMatrix => [
  1 - 2 * (y * y + z * z),
  2 * (x * y - w * z),
  2 * (x * z + w * y),
  2 * (x * y + w * z),
  1 - 2 * (x * x + z * z),
  2 * (y * z - w * x),
  2 * (x * z - w * y),
  2 * (y * z + w * x),
  1 - 2 * (x * x + y * y),
]

/** The unit quaternion of a rotation matrix, even of a rounded one. */
export function quaternionOf([a, b, c, d, e, f, g, h, i]: RotationMatrix): Quaternion {
  // Shepperd's method: of the four formulas, the one that divides by the largest component.
  const [w, x, y, z] = [1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i]
  const largest = Math.max(w, x, y, z)
  if (largest === w) return normalized({ w, x: h - f, y: c - g, z: d - b })
  if (largest === x) return normalized({ w: h - f, x, y: b + d, z: c + g })
  if (largest === y) return normalized({ w: c - g, x: b + d, y, z: f + h })
  return normalized({ w: d - b, x: c + g, y: f + h, z })
}

/** A pose as sixteen numbers; those of the position are metres. */
export function homogeneousOf({ position, orientation }: Pose): Homogeneous {
  const [a, b, c, d, e, f, g, h, i] = matrixOf(orientation)
  return [a, b, c, position.x, d, e, f, position.y, g, h, i, position.z, 0, 0, 0, 1]
}

/** @param matrix sixteen numbers, or the twelve of the upper three rows */
export function poseOfHomogeneous(matrix: Homogeneous): Pose {
  const [a = 0, b = 0, c = 0, x = 0, d = 0, e = 0, f = 0, y = 0, g = 0, h = 0, i = 0, z = 0] = matrix
  return { position: { x, y, z }, orientation: quaternionOf([a, b, c, d, e, f, g, h, i]) }
}
