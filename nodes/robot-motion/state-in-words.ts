import type { RobotState } from '../../lib/robot-motion'
import { degrees } from '../../lib/robotics/rotation'
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
