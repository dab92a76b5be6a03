import type { Quaternion } from './pose'
import { product } from './pose'

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
 *
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

/** Whether the second axis follows the first in the cycle x, y, z, x. */
const isCyclic = (one: Axis, next: Axis) => 'xyzx'.includes(one + next)
const remaining = (one: Axis, other: Axis) =>
  (['x', 'y', 'z'] as const).find((axis) => axis !== one && axis !== other) ?? one

/** The same angle, above -π and up to π. */
function wrapped(angle: number): number {
  const turns = Math.ceil((angle - Math.PI) / (2 * Math.PI))
  return angle - turns * 2 * Math.PI + 0
}
