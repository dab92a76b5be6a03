import type { Pose } from '../../lib/robotics/pose'
import { poseShape } from '../services/pose-shape'

/** Hand-eye services answer with a status of their own instead of a return code. */
export const outcomeShape = { success: 'bool', status: 'int32', message: 'string' } as const

export const tagShape = { id: 'string', pose: poseShape, size: 'float64' } as const

export const calibrationShape = {
  ...outcomeShape,
  pose: poseShape,
  /** Pixels; kept for old clients. */
  error: 'float64',
  robot_mounted: 'bool',
  translation_error_meter: 'float64',
  rotation_error_degree: 'float64',
  tags: [tagShape],
} as const

/** Every number of a pose is required. */
export const wholePose = [
  ...['x', 'y', 'z'].map((axis) => `pose.position.${axis}`),
  ...['w', 'x', 'y', 'z'].map((part) => `pose.orientation.${part}`),
]

export const outcome = (success: boolean, status: number, message: string) => ({ success, status, message })

/** An AprilTag beside the grid; metres. */
export type HandEyeTag = { id: string; pose: Pose; size: number }

/** A result, as answered by the services. */
export type Calibration = {
  /** Pose of the camera: in the robot's frame if it is mounted there, otherwise in the external frame. */
  pose: Pose
  robot_mounted: boolean
  /** Pixels. */
  error: number
  translation_error_meter: number
  rotation_error_degree: number
  tags: HandEyeTag[]
}
