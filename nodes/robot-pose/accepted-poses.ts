import { detailOf } from '../shared/node-error'
import { poseError, posesIn, readPose, type ReadPose, type RobotFormat } from '../shared/poses'
import type { RobotPoseFields } from './fields'
import { invalidInput } from '../shared/sentences'

/** @throws INVALID_INPUT naming the suspicion if the setting `refuse` does not accept such a pose */
export function acceptedPose(
  robot: RobotFormat,
  refuse: RobotPoseFields['refuse'],
  given: unknown,
): ReadPose {
  const read = readPose(robot, given)
  const refused = read.suspicions.filter(
    ({ severity }) => refuse === 'doubtful' || (refuse === 'impossible' && severity === 'impossible'),
  )
  if (refused.length) throw poseError(refused, robot)
  return read
}

/** The poses of a list. @throws INVALID_INPUT with the number (from 1) of the first one that is not accepted */
export function acceptedPoses(
  robot: RobotFormat,
  refuse: RobotPoseFields['refuse'],
  given: unknown,
): ReadPose[] {
  const parts = posesIn(robot, given)
  if (!parts) throw invalidInput('pose-list-missing')
  return parts.map((part, index) => {
    try {
      return acceptedPose(robot, refuse, part)
    } catch (error) {
      throw invalidInput('pose-in-list', { number: index + 1, problem: detailOf(error) })
    }
  })
}
