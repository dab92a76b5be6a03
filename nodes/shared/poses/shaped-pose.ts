import type { ArmFlags, Pose } from '../../../lib/robotics'
import { numbersOfPose } from '../../../lib/robotics/robot-numbers'
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

/** Rounds 90.00000000000001 to 90. Adding 0 turns -0 into 0. */
const tidy = (value: number) => Math.round(value * 1e9) / 1e9 + 0
