import { lengthOf, type Quaternion, type Vector } from './pose'

/** The same rotation with length one. A quaternion of length zero becomes the identity. */
export function normalized(quaternion: Quaternion): Quaternion {
  const length = lengthOf(quaternion)
  if (!(length > 0)) return { w: 1, x: 0, y: 0, z: 0 }
  const { w, x, y, z } = quaternion
  return { w: w / length, x: x / length, y: y / length, z: z / length }
}

/** The inverse rotation. */
export const conjugated = ({ w, x, y, z }: Quaternion): Quaternion => ({ w, x: -x, y: -y, z: -z })

/**
 * Of the two quaternions of a rotation, the one with w ≥ 0; if w is 0, the one whose first non-zero component is
 * positive.
 */
export function canonical(quaternion: Quaternion): Quaternion {
  const { w, x, y, z } = quaternion
  const leading = [w, x, y, z].find((part) => part !== 0) ?? 1
  // 0 - part, not -part, which would give -0.
  return leading < 0 ? { w: 0 - w, x: 0 - x, y: 0 - y, z: 0 - z } : { w, x, y, z }
}

/** Rotation vector: the axis times the angle in radians, 0 to π. */
export function rotationVectorOf(quaternion: Quaternion): Vector {
  const { w, x, y, z } = canonical(quaternion)
  const sine = Math.hypot(x, y, z)
  // sin(a/2)/a approaches 1/2 as the angle vanishes.
  const scale = sine > 1e-30 ? (2 * Math.atan2(sine, w)) / sine : 2
  return { x: scale * x, y: scale * y, z: scale * z }
}

/** @param vector axis times angle in radians, of any length */
export function ofRotationVector(vector: Vector): Quaternion {
  const angle = Math.hypot(vector.x, vector.y, vector.z)
  const scale = angle > 1e-30 ? Math.sin(angle / 2) / angle : 0.5
  return { w: Math.cos(angle / 2), x: scale * vector.x, y: scale * vector.y, z: scale * vector.z }
}

/** Angle of a rotation in radians, 0 to π. */
export const angleOf = ({ w, x, y, z }: Quaternion): number =>
  2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w))

/** Converts radians to degrees. */
export const degrees = (radians: number): number => (radians * 180) / Math.PI
/** Converts degrees to radians. */
export const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Tolerated deviation of a quaternion's length from one: robots round quaternions to three or four digits. */
export const unitTolerance = 0.01

/** Whether a quaternion has length one, within rounding. */
export const isUnit = (quaternion: Quaternion): boolean => Math.abs(lengthOf(quaternion) - 1) <= unitTolerance
