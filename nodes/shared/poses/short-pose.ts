import type { Pose } from '../../../lib/robotics'
import { numbersOfPose } from '../../../lib/robotics/robot-numbers'
import { poseText } from '../../../lib/robotics/write-pose'
import { rounded } from './rounded'
import type { RobotFormat } from './robot-format'

/** A pose as people compare it with the pendant: three digits are a thousandth of a millimetre or a degree. */
export const shortPose = ({ format, length }: RobotFormat, pose: Pose): string =>
  poseText(
    format,
    numbersOfPose(format, pose, { length }).map((each) => rounded(each, length === 'm' ? 4 : 3)),
    { length },
  )
