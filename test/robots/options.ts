import { dialects, type DialectId } from '../../lib/robots'
import type { RobotNumbers } from '../../lib/robots/dialects'
import { poseFormat, poseOfNumbers, type Pose } from '../../lib/robotics'

export const codes = {
  DONE: 0,
  NO_POSE: 1,
  NO_MORE: 2,
  NOT_ALLOWED: 207,
  NO_ANSWER: 208,
  DOES_NOT_FIT: 209,
  TOO_OLD: 221,
  OTHER_POSE: 222,
  OUTSIDE: 223,
  NOT_UNDERSTOOD: 224,
} as const

/** The usual numbers of a dialect. */
export function numbersOf(id: DialectId): RobotNumbers {
  const format = poseFormat(dialects[id].format)
  return { format, length: format.length }
}

/** A pose as KUKA writes it, mm and degrees. */
export const at = (...numbers: readonly number[]): Pose =>
  poseOfNumbers('kuka', [...numbers, 0, 0, 0].slice(0, 6))

/** The value, which must be there. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is none')
  return value
}
