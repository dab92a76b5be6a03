import type { Pose } from '../../../lib/robotics'
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

/**
 * A pose as the device gives it, in metres.
 * @param number of the pose, for the error
 * @throws INVALID_INPUT where it is none
 */
export function poseInAnswer(given: unknown, number: number): Pose {
  try {
    return readPossiblePose(device, given).pose
  } catch (problem) {
    throw invalidInput('no-pose-in-list', { number, problem: detailOf(problem) })
  }
}
