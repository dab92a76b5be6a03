import { composed, identity, inverted, type Pose, type Vector } from '../../lib/robotics/pose'
import { normalized } from '../../lib/robotics/quaternion'
import type { Environment } from '../module'
import {
  complete,
  InvalidArgument,
  oneOf,
  unlessZero,
  type PartialArguments,
} from '../services/invalid-argument'

export const frameNames = ['camera', 'external'] as const
export type FrameName = (typeof frameNames)[number]

export interface HandEye {
  /** Pose of the camera: in the robot's frame if it is mounted there, otherwise in the external frame. */
  pose: Pose
  robot_mounted: boolean
}

/** The saved result of the hand-eye calibration of this pipeline. */
export function handEyeOf({ call }: Pick<Environment, 'call'>): HandEye | undefined {
  const calibration = call('hand_eye_calibration', 'get_calibration') as
    | (HandEye & { success: boolean })
    | undefined
  return calibration?.success ? calibration : undefined
}

/** Transforms from the camera's frame, in which the scene is given, to the frame that a caller requests. */
export class Frames {
  /** Frame of the answer. */
  readonly name: FrameName
  private readonly robotPose: Pose | undefined
  private robotNeeded = false

  /** Throws an InvalidArgument if that frame cannot be reached. */
  constructor(
    given: { pose_frame?: string | undefined; robot_pose?: PartialArguments<Pose> | undefined },
    readonly handEye: HandEye | undefined,
  ) {
    this.name = oneOf(given.pose_frame, frameNames, 'pose_frame')
    const told = unlessZero(given.robot_pose)
    this.robotPose = told && unit(complete(told, 'robot_pose'))
    this.camera(this.name)
  }

  /** Whether a robot pose was given but not needed. */
  get robotPoseIsSuperfluous(): boolean {
    return this.robotPose !== undefined && !this.robotNeeded
  }

  /** Whether the external frame can be reached: the robot pose is given or not needed. */
  get reachesExternal(): boolean {
    return this.handEye !== undefined && (!this.handEye.robot_mounted || this.robotPose !== undefined)
  }

  /** The pose of the camera in that frame. */
  camera(frame: FrameName): Pose {
    if (frame === 'camera') return identity()
    if (!this.handEye) throw new InvalidArgument('the frame external needs a saved hand-eye calibration')
    const camera = unit(this.handEye.pose)
    if (!this.handEye.robot_mounted) return camera
    if (!this.robotPose)
      throw new InvalidArgument(
        'robot_pose is missing or not set: the frame external needs it, the robot carries the camera',
      )
    this.robotNeeded = true
    return composed(this.robotPose, camera)
  }

  /** Transforms a pose from the camera's frame to the frame of the answer. */
  answer(pose: Pose): Pose {
    return composed(this.camera(this.name), pose)
  }

  /** Transforms a pose from that frame to the camera's. */
  inCamera(pose: Pose, frame: FrameName): Pose {
    return composed(inverted(this.camera(frame)), unit(pose))
  }
}

/** Robots round their quaternions. */
const unit = ({ position, orientation }: Pose): Pose => ({ position, orientation: normalized(orientation) })

/** Transforms a point of the frame with that pose to the frame in which the pose is given. */
export const pointIn = (pose: Pose, point: Vector): Vector =>
  composed(pose, { position: point, orientation: identity().orientation }).position
