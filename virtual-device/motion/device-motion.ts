import { composed, inverted, product, rotated, type Pose, type Vector } from '../../lib/robotics/pose'
import { conjugated, rotationVectorOf } from '../../lib/robotics/quaternion'
import type { Module } from '../module'
import { carriedCameraOf } from './carried-camera'
import { cameraInImu, motionAt, type Motion, type MotionAt } from './motion'

/** Seconds over which speeds and accelerations are formed: a few cycles of any arm. */
const span = 0.032

/**
 * How a device moves: with the robot arm of its cell, otherwise along a closed path.
 *
 * @param handEye the hand-eye calibration of the pipeline
 */
export function deviceMotion(handEye: Module | undefined): MotionAt {
  const camera = carriedCameraOf(handEye)
  if (!camera) return motionAt
  const imuInCamera = inverted(cameraInImu)
  return (seconds) => derived((at) => composed(camera.at(at), imuInCamera), seconds)
}

/** The motion of a frame whose poses are known up to the present: its derivatives are those of the last moments. */
function derived(poseAt: (seconds: number) => Pose, seconds: number): Motion {
  const pose = poseAt(seconds)
  const [last, before] = [poseAt(seconds - span), poseAt(seconds - 2 * span)]
  const velocity = perSecond(last.position, pose.position)
  const earlier = perSecond(before.position, last.position)
  const { x, y, z } = rotationVectorOf(product(pose.orientation, conjugated(last.orientation)))
  const turning = { x: x / span, y: y / span, z: z / span }
  return {
    pose,
    velocity,
    acceleration: perSecond(earlier, velocity),
    angularVelocity: rotated(turning, conjugated(pose.orientation)),
  }
}

const perSecond = (from: Vector, to: Vector): Vector => ({
  x: (to.x - from.x) / span,
  y: (to.y - from.y) / span,
  z: (to.z - from.z) / span,
})
