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
  /** Of the camera: in the robot's frame where it is mounted there, else in the external frame. */
  pose: Pose
  robot_mounted: boolean
}

/** The saved result of the hand-eye calibration of this pipeline. */
export function handEyeOf({ call }: Pick<Environment, 'call'>): HandEye | undefined {
  const calibration = call('hand_eye_calibration', 'get_calibration') as
    (HandEye & { success: boolean }) | undefined
  return calibration?.success ? calibration : undefined
}

/** Leads from the camera, in whose frame the scene is, to the frame that a caller wants. */
export class Frames {
  /** Of the answer. */
  readonly name: FrameName
  private readonly robotPose: Pose | undefined
  private robotNeeded = false

  /** Throws an InvalidArgument where there is no way to that frame. */
  constructor(
    given: { pose_frame?: string | undefined; robot_pose?: PartialArguments<Pose> | undefined },
    readonly handEye: HandEye | undefined,
  ) {
    this.name = oneOf(given.pose_frame, frameNames, 'pose_frame')
    const told = unlessZero(given.robot_pose)
    this.robotPose = told && unit(complete(told, 'robot_pose'))
    this.camera(this.name)
  }

  /** A robot pose was given, and nothing was done with it. */
  get robotPoseIsSuperfluous(): boolean {
    return this.robotPose !== undefined && !this.robotNeeded
  }

  /** The robot pose is there, or is not needed to reach the external frame. */
  get reachesExternal(): boolean {
    return this.handEye !== undefined && (!this.handEye.robot_mounted || this.robotPose !== undefined)
  }

  /** The camera in that frame. */
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

  /** A pose in the camera's frame, in the frame of the answer. */
  answer(pose: Pose): Pose {
    return composed(this.camera(this.name), pose)
  }

  /** A pose in that frame, in the camera's. */
  inCamera(pose: Pose, frame: FrameName): Pose {
    return composed(inverted(this.camera(frame)), unit(pose))
  }
}

/** Robots round their quaternions. */
const unit = ({ position, orientation }: Pose): Pose => ({ position, orientation: normalized(orientation) })

/** The point of a frame with that pose, in the frame that the pose is in. */
export const pointIn = (pose: Pose, point: Vector): Vector =>
  composed(pose, { position: point, orientation: identity().orientation }).position
