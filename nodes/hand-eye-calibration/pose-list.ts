import { detailOf } from '../shared/node-error'
import { posesIn, readPossiblePose, type RobotFormat } from '../shared/poses'
import { slotCount } from './hand-eye-device'
import type { PoseList } from './session'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('hand-eye-calibration')

/**
 * A list of poses to go through, each as it was given.
 * @throws INVALID_INPUT if there are too many, or with the number (from 1) of the first that is not a valid pose
 */
export function poseList(robot: RobotFormat, given: unknown): PoseList {
  const targets = posesIn(robot, given)
  if (!targets) throw invalidInput('pose-list-missing')
  if (targets.length > slotCount)
    throw invalidInput('hand-eye-list-too-long', { poses: targets.length, most: slotCount })
  for (const [index, target] of targets.entries()) {
    try {
      readPossiblePose(robot, target)
    } catch (error) {
      throw invalidInput('pose-in-list', { number: index + 1, problem: detailOf(error) })
    }
  }
  return { targets, next: 0 }
}
