import { ofEuler } from '../../lib/robotics/euler'
import { composed, product, rotated, type Pose } from '../../lib/robotics/pose'
import { conjugated } from '../../lib/robotics/quaternion'
import { cameraInImu, type Motion, type MotionAt } from './motion'

/**
 * The motion in the estimated world frame: the pose of the sensor when the estimation began, levelled, with x in the
 * device's viewing direction.
 * @param seconds by the clock @param began by the same clock
 */
export function motionInWorld(motionAt: MotionAt, seconds: number, began: number): Motion {
  const { pose, velocity, acceleration, angularVelocity } = motionAt(seconds)
  const start = motionAt(began).pose
  const ahead = rotated({ x: 1, y: 0, z: 0 }, start.orientation)
  const toWorld = conjugated(ofEuler(['z', 'y', 'x'], [Math.atan2(ahead.y, ahead.x), 0, 0]))
  const moved = {
    x: pose.position.x - start.position.x,
    y: pose.position.y - start.position.y,
    z: pose.position.z - start.position.z,
  }
  return {
    pose: { position: rotated(moved, toWorld), orientation: product(toWorld, pose.orientation) },
    velocity: rotated(velocity, toWorld),
    acceleration: rotated(acceleration, toWorld),
    angularVelocity,
  }
}

/** The left camera in the world frame. @param seconds by the clock @param began by the same clock */
export const cameraInWorld = (motionAt: MotionAt, seconds: number, began: number): Pose =>
  composed(motionInWorld(motionAt, seconds, began).pose, cameraInImu)
