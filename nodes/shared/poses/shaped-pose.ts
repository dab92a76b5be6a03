import type { ArmFlags, Pose } from '../../../lib/robotics'
import { numbersOfPose } from '../../../lib/robotics/read-pose'
import { namedNumbers, poseText } from '../../../lib/robotics/write-pose'
import type { RobotFormat } from './robot-format'

/** The form in which a flow wants a pose. */
export type PoseShape = 'object' | 'array' | 'text'

/** A pose in a robot's own numbers; flags of the arm stand behind them, except in an array. */
export function shapedPose(
  { format, length }: RobotFormat,
  pose: Pose,
  shape: PoseShape,
  flags?: ArmFlags,
): unknown {
  const numbers = numbersOfPose(format, pose, { length }).map(tidy)
  if (shape === 'array') return numbers
  if (shape === 'text') {
    const text = poseText(format, numbers, { length })
    return flags?.into(text) ?? text
  }
  return { ...namedNumbers(format, numbers), ...flags?.properties }
}

/** A pose as people compare it with the pendant: three digits are a thousandth of a millimetre or a degree. */
export const shortPose = ({ format, length }: RobotFormat, pose: Pose): string =>
  poseText(
    format,
    numbersOfPose(format, pose, { length }).map((each) => rounded(each, length === 'm' ? 4 : 3)),
    { length },
  )

/** To so many digits behind the point. Adding 0 turns -0 into 0. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0

/** Rounds 90.00000000000001 to 90. */
const tidy = (value: number) => Math.round(value * 1e9) / 1e9 + 0
