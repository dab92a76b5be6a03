/** A position or a direction. Positions are in metres. */
export type Vector = { x: number; y: number; z: number }

/** A rotation. Of unit length unless stated otherwise. */
export type Quaternion = { w: number; x: number; y: number; z: number }

/** The pose of a frame in another one: first rotated by `orientation`, then moved by `position` (metres). */
export type Pose = { position: Vector; orientation: Quaternion }

/** The pose of a frame in itself. */
export const identity = (): Pose => ({
  position: { x: 0, y: 0, z: 0 },
  orientation: { w: 1, x: 0, y: 0, z: 0 },
})

/** Length of a quaternion; 1 for a rotation. */
export const lengthOf = ({ w, x, y, z }: Quaternion): number => Math.hypot(w, x, y, z)

/** The rotation by `b` first and then by `a`. */
export const product = (a: Quaternion, b: Quaternion): Quaternion => ({
  w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
  y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
  z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
})

/** Rotates a vector by a unit quaternion. */
export function rotated(vector: Vector, { w, x, y, z }: Quaternion): Vector {
  // v + 2 q × (q × v + w v): cheaper than two quaternion products.
  const cross = {
    x: y * vector.z - z * vector.y + w * vector.x,
    y: z * vector.x - x * vector.z + w * vector.y,
    z: x * vector.y - y * vector.x + w * vector.z,
  }
  return {
    x: vector.x + 2 * (y * cross.z - z * cross.y),
    y: vector.y + 2 * (z * cross.x - x * cross.z),
    z: vector.z + 2 * (x * cross.y - y * cross.x),
  }
}

/** The pose in A of a frame whose pose in B is `inner`, if B has the pose `outer` in A. */
export function composed(outer: Pose, inner: Pose): Pose {
  const moved = rotated(inner.position, outer.orientation)
  return {
    position: {
      x: outer.position.x + moved.x,
      y: outer.position.y + moved.y,
      z: outer.position.z + moved.z,
    },
    orientation: product(outer.orientation, inner.orientation),
  }
}

/** The pose of the outer frame in the inner one. */
export function inverted({ position, orientation: { w, x, y, z } }: Pose): Pose {
  const orientation = { w, x: -x, y: -y, z: -z }
  const moved = rotated(position, orientation)
  return { position: { x: -moved.x, y: -moved.y, z: -moved.z }, orientation }
}

/** Metres between two positions. */
export const distance = (one: Vector, other: Vector): number =>
  Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z)

/** The same rotation with length one. A quaternion of length zero becomes the identity. */
export function normalized(quaternion: Quaternion): Quaternion {
  const length = lengthOf(quaternion)
  if (!(length > 0)) return { w: 1, x: 0, y: 0, z: 0 }
  const { w, x, y, z } = quaternion
  return { w: w / length, x: x / length, y: y / length, z: z / length }
}

/** The inverse rotation. */
export const conjugated = ({ w, x, y, z }: Quaternion): Quaternion => ({ w, x: -x, y: -y, z: -z })

/** The quaternion of a rotation with w ≥ 0; if w is 0, with a positive first non-zero component. */
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

export const axes = ['x', 'y', 'z'] as const

/** An axis of a frame. */
export type Axis = (typeof axes)[number]

/** Three axes, no two neighbours equal: R = R_first(a) · R_second(b) · R_third(c). */
export type EulerAxes = readonly [Axis, Axis, Axis]

/** Radians, in the order of the axes. */
export type EulerAngles = readonly [number, number, number]

const turn = (axis: Axis, angle: number): Quaternion => ({
  w: Math.cos(angle / 2),
  x: 0,
  y: 0,
  z: 0,
  [axis]: Math.sin(angle / 2),
})

/** The rotation by three turns in sequence, each about an axis of the frame as already turned. */
export const ofEuler = ([first, second, third]: EulerAxes, [a, b, c]: EulerAngles): Quaternion =>
  product(product(turn(first, a), turn(second, b)), turn(third, c))

/** Closer than this to gimbal lock, in half a radian, only the sum or difference of the outer angles is meaningful. */
const locked = 1e-10

/**
 * Angles of a unit quaternion, computed directly from its components (Bernardes and Viollet 2022): without a division
 * or an arc sine, so the rotation stays accurate near gimbal lock. In gimbal lock the last angle is 0.
 * @returns outer angles -π to π; the middle one -π/2 to π/2, or 0 to π if the outer axes are the same
 */
export function eulerOf([first, second, third]: EulerAxes, quaternion: Quaternion): EulerAngles {
  const { w } = quaternion
  const same = first === third
  const [i, j] = [quaternion[third], quaternion[second]]
  const sign = isCyclic(third, second) ? 1 : -1
  const k = sign * quaternion[same ? remaining(first, second) : first]
  const [a, b, c, d] = same ? [w, i, j, k] : [w - j, i + k, j + w, k - i]

  const [even, odd] = [Math.hypot(a, b), Math.hypot(c, d)]
  const middle = 2 * Math.atan2(odd, even)
  let [sum, difference] = [Math.atan2(b, a), Math.atan2(d, c)]
  if (odd < locked) difference = sum
  if (even < locked) sum = difference
  const outer = { third: sum - difference, first: sum + difference }
  return [
    wrapped(same ? outer.first : sign * outer.first),
    same ? middle : middle - Math.PI / 2,
    wrapped(outer.third),
  ]
}

const isCyclic = (one: Axis, next: Axis) => 'xyzx'.includes(one + next)

const remaining = (one: Axis, other: Axis) =>
  (['x', 'y', 'z'] as const).find((axis) => axis !== one && axis !== other) ?? one

/** The same angle, above -π and up to π. */
function wrapped(angle: number): number {
  const turns = Math.ceil((angle - Math.PI) / (2 * Math.PI))
  return angle - turns * 2 * Math.PI + 0
}

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
