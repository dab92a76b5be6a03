import type { Pose } from '../../lib/robotics'
import { invalidInput } from '../plc/sentences'

const vector = ['x', 'y', 'z'] as const
const quaternion = ['x', 'y', 'z', 'w'] as const

/**
 * The poses of an answer, in metres: a pose as the device gives it, something with a `pose`, or a list of these.
 * Nothing is none.
 * @throws INVALID_INPUT where one of them is no pose
 */
export function posesIn(given: unknown): Pose[] {
  if (given === undefined || given === null || given === '') return []
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  return list.map((each, index) => {
    const { pose = each } = Object(each) as { pose?: unknown }
    if (isPose(pose)) return { position: pose.position, orientation: pose.orientation }
    throw invalidInput('plc-no-pose', { number: index + 1 })
  })
}

function isPose(value: unknown): value is Pose {
  const { position, orientation } = Object(value) as Partial<Record<'position' | 'orientation', unknown>>
  return hasNumbers(position, vector) && hasNumbers(orientation, quaternion)
}

const hasNumbers = (value: unknown, names: readonly string[]) =>
  names.every((name) => Number.isFinite((Object(value) as Record<string, unknown>)[name]))
