import type { Pose } from '../../lib/robotics'
import { listOfPoses, poseInAnswer } from '../shared/poses/pose-in-answer'

/**
 * The poses of an answer, in metres: a pose as the device gives it, something with a `pose`, or a list of these.
 * Nothing is none.
 * @throws INVALID_INPUT where one of them is no pose
 */
export const posesIn = (given: unknown): Pose[] =>
  listOfPoses(given).map((each, index) => {
    const { pose = each } = Object(each) as { pose?: unknown }
    return poseInAnswer(pose, index + 1)
  })
