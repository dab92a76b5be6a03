import type { Pose } from '../../lib/robotics'
import type { MotionSettings } from '../robot-motion/deployed-robot'
import { posesIn, readPossiblePose } from '../shared/poses'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('robot-motion')

/** Most poses of a message. */
const most = 1000

/** The flange poses that a message sends the robot to: one, a list, or `home`. @throws INVALID_INPUT */
export function targetsIn(given: unknown, { numbers, home, name }: MotionSettings): Pose[] {
  if (typeof given === 'string' && given.trim().toLowerCase() === 'home') {
    if (!home) throw invalidInput('robot-no-home', { name })
    return [home]
  }
  const list = posesIn(numbers, given) ?? [given]
  if (list.length > most) throw invalidInput('robot-too-many', { count: list.length, limit: most })
  return list.map((each) => readPossiblePose(numbers, each).pose)
}
