import type { RobotState } from '../../lib/robot-motion'
import type { MotionLimits } from '../../lib/robot-motion/motion'
import { degrees } from '../../lib/robotics/pose'
import { sentencesOf } from '../sentences'
import { type PoseShape, type RobotFormat, rounded, shapedPose } from '../shared/poses'

/** A robot's state as a flow gets it: poses in its format, joints in degrees, lengths in millimetres, payload in kg. */
export function stateInNumbers(state: RobotState, numbers: RobotFormat, shape: PoseShape) {
  const { flange, tcp, tcpOffset, joints, mode, safety, program, payload, speed, speedScaling } = state
  return {
    flange: shapedPose(numbers, flange, shape),
    tcp: shapedPose(numbers, tcp, shape),
    tcpOffset: shapedPose(numbers, tcpOffset, shape),
    format: numbers.format.id,
    unit: numbers.length,
    joints: joints.map((each) => rounded(degrees(each), 3)),
    mode,
    safety,
    program,
    speed: rounded(speed * 1000, 1),
    speedScaling: rounded(speedScaling, 3),
    ...(payload && {
      payload: {
        kilograms: rounded(payload.mass, 3),
        ...(payload.centre && {
          centre: [payload.centre.x, payload.centre.y, payload.centre.z].map((each) =>
            rounded(each * 1000, 1),
          ),
        }),
      },
    }),
  }
}

const { invalidInput } = sentencesOf('robot-motion')

/** Three ranges as they are entered in mm, in metres. @throws INVALID_INPUT */
export function boxOf(text: string): MotionLimits['box'] {
  if (text === '') return undefined
  const ranges = text.split(',').map((part): readonly [number, number] => {
    const [from = Number.NaN, to = Number.NaN, ...more] = part.split('..').map((each) => Number(each) / 1000)
    return more.length > 0 || part.trim() === '' ? [Number.NaN, Number.NaN] : [from, to]
  })
  const [x, y, z, ...more] = ranges
  if (!x || !y || !z || more.length > 0 || !ranges.every(([from, to]) => from < to))
    throw invalidInput('robot-bad-box', { value: text })
  return [x, y, z]
}
