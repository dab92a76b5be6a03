import type { Pose } from '../../lib/robotics'
import { invalidInput } from '../plc/sentences'
import { readPossiblePose } from '../shared/poses/read-pose'
import { robotFormat } from '../shared/poses/robot-format'
import { detailOf } from '../shared/node-error'

const device = robotFormat('poses', 'device', '')

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
    try {
      return readPossiblePose(device, pose).pose
    } catch (problem) {
      throw invalidInput('plc-no-pose', { number: index + 1, problem: detailOf(problem) })
    }
  })
}
