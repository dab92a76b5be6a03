import type { NextPose } from '../../lib/robotics'
import type { RobotFormat } from '../shared/poses/robot-format'
import { shapedPose } from '../shared/poses/shaped-pose'
import { say } from './sentences'

/** The pose to record next, as the flow gets it. */
export interface AdvisedPose {
  /** Of the flange, in the robot's own numbers. */
  pose: unknown
  /** The same as text, as the robot writes it. */
  poseText: string
  /** Number of the recorded pose that the movement starts from. */
  from: number
  /** Of the flange there. The turn goes about the line through the grid that is parallel to this axis. */
  axis: 'X' | 'Y' | 'Z'
  /** Positive turns as a right-handed screw. */
  degrees: number
  /** Along another axis of the flange, after the turn; only of a robot of four axes. */
  shift?: { axis: 'X' | 'Y' | 'Z'; millimetres: number }
  /** The movement in words, for one line of a panel. */
  text: string
}

/** @param numbers of the poses, from 1 */
export function advisedPose(
  robot: RobotFormat,
  { from, axis, degrees, shift, pose }: NextPose,
  numbers: readonly number[],
): AdvisedPose {
  const movement = { from: numbers[from] ?? 0, axis: capital(axis), degrees }
  const shifted = shift && { axis: capital(shift.axis), millimetres: 1000 * shift.metres }
  const text = shifted
    ? say('line-next-shifted', { ...movement, ...{ along: shifted.axis, millimetres: shifted.millimetres } })
    : say('line-next', movement)
  return {
    pose: shapedPose(robot, pose, 'object'),
    poseText: String(shapedPose(robot, pose, 'text')),
    ...movement,
    ...(shifted && { shift: shifted }),
    text,
  }
}

const capital = (axis: 'x' | 'y' | 'z') => axis.toUpperCase() as 'X' | 'Y' | 'Z'
