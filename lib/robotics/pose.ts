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
