import type { Pose, Vector } from './pose'
import { isUnit, normalized } from './rotation'

/** Numbers beyond this are no positions, metres, and may overflow in what is done with them. */
const farthest = 1e6

/**
 * A pose as the device writes it: `{ position: { x, y, z }, orientation: { x, y, z, w } }`, metres, with a quaternion of
 * length one within rounding. Undefined for anything else.
 */
export function devicePoseIn(value: unknown): Pose | undefined {
  const { position, orientation } = fieldsOf(value)
  const place = deviceVectorIn(position)
  const { w, x, y, z } = fieldsOf(orientation)
  const turned = { w: numberOf(w), x: numberOf(x), y: numberOf(y), z: numberOf(z) }
  // Not a number is not of length one either.
  return place && isUnit(turned) ? { position: place, orientation: normalized(turned) } : undefined
}

/** A vector as the device writes it, `{ x, y, z }`, metres. Undefined for anything else. */
export function deviceVectorIn(value: unknown): Vector | undefined {
  const { x, y, z } = fieldsOf(value)
  const vector = { x: numberOf(x), y: numberOf(y), z: numberOf(z) }
  return Number.isNaN(vector.x + vector.y + vector.z) ? undefined : vector
}

const fieldsOf = (value: unknown) => Object(value) as Record<string, unknown>

/** A number, which flows and PLC texts may bring as text. */
const numberOf = (value: unknown): number => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= farthest ? number : NaN
}
