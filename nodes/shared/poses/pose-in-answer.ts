import type { Pose } from '../../../lib/robotics'
import { canonical, isUnit, normalized } from '../../../lib/robotics/rotation'
import { farthestMetres } from '../../../lib/robotics/suspicions'
import { detailOf } from '../node-error'
import { invalidInput } from '../sentences'
import { readPossiblePose } from './read-pose'
import { robotFormat } from './robot-format'

const device = robotFormat('poses', 'device', '')

/** A pose, or a list of what has one; nothing is none. */
export function listOfPoses(given: unknown): readonly unknown[] {
  if (given === undefined || given === null || given === '') return []
  return Array.isArray(given) ? given : [given]
}

/** A pose exactly as the device sends it, and possible; whatever else is read like the poses of robots. */
function poseAsSent(given: unknown): Pose | undefined {
  const { position, orientation, ...more } = Object(given) as Partial<Pose>
  if (!position || !orientation || Object.keys(more).length > 0) return undefined
  const { x, y, z } = position
  const { w, x: a, y: b, z: c } = orientation
  const isNumbers = [x, y, z, w, a, b, c].every((part: unknown) => typeof part === 'number')
  // Not a number is not within either.
  const isPossible = isNumbers && Math.hypot(x, y, z) <= farthestMetres && isUnit({ w, x: a, y: b, z: c })
  if (!isPossible) return undefined
  return { position: { x, y, z }, orientation: canonical(normalized({ w, x: a, y: b, z: c })) }
}

/**
 * A pose as the device gives it, in metres.
 * @param number of the pose, for the error
 * @throws INVALID_INPUT where it is none
 */
export function poseInAnswer(given: unknown, number: number): Pose {
  try {
    return poseAsSent(given) ?? readPossiblePose(device, given).pose
  } catch (problem) {
    throw invalidInput('no-pose-in-list', { number, problem: detailOf(problem) })
  }
}
