import type { NextPose } from '../../lib/robotics'
import { type RobotFormat, shapedPose } from '../shared/poses'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('hand-eye-calibration')

/** The pose to record next, as sent to the flow. */
export interface AdvisedPose {
  /** Pose of the flange, in the robot's own numbers. */
  pose: unknown
  /** The same as text in the robot's notation. */
  poseText: string
  /** Number of the recorded pose that the movement starts from. */
  from: number
  /** Axis of the flange at that pose. The rotation is about the parallel line through the grid. */
  axis: 'X' | 'Y' | 'Z'
  /** Right-handed: positive turns clockwise, looking along the axis. */
  degrees: number
  /** Movement along another axis of the flange, after the rotation; only for a robot with four axes. */
  shift?: { axis: 'X' | 'Y' | 'Z'; millimetres: number }
  /** The movement in words, short enough for one line of a panel. */
  text: string
}

/** @param numbers numbers of the poses, from 1 */
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
