import type { Pose } from '../../lib/robotics/pose'
import type { Module } from '../module'

/** The camera of a device in the cell of a robot arm, which carries it or stands beside it. In the arm's base, metres. */
export interface CarriedCamera {
  /** @param seconds of the device's clock, up to the present */
  at: (seconds: number) => Pose
  /** When the device started. */
  start: Pose
  /** Whether it is on the arm's flange; otherwise the grid is. */
  isOnArm: boolean
}

/** The module that knows how the camera is mounted. */
export type CarryingModule = Module & { carriedCamera: () => CarriedCamera | undefined }

/** @param handEye the hand-eye calibration of a pipeline @returns undefined without an arm */
export const carriedCameraOf = (handEye: Module | undefined): CarriedCamera | undefined =>
  (handEye as CarryingModule | undefined)?.carriedCamera()
