import type { Dynamics, Imu, Pose as StreamPose } from '../../../lib/codec/streams'
import {
  product,
  rotated,
  type Pose,
  type Vector,
  normalized,
  ofRotationVector,
} from '../../../lib/robotics/pose'
import { gravity } from '../../../virtual-device/motion'

/**
 * Over ten seconds, in which the device completes one lap. It is the error of the trapezoidal rule: its tilt error of
 * 1e-5 rad lets some gravity through.
 */
export const allowed = { metres: 2e-3, degrees: 1e-2, metresPerSecond: 1e-3 }

export const poseOf = (pose: StreamPose | undefined) => pose as Pose
export const sum = (one: Vector, other: Vector, factor = 1): Vector => ({
  x: one.x + factor * other.x,
  y: one.y + factor * other.y,
  z: one.z + factor * other.z,
})

/**
 * Integrates pose and velocity from the sensor's measurements alone, with the trapezoidal rule.
 * @param period seconds between two measurements, the first of which was taken at `start`
 */
export function integrated(start: Dynamics, measured: readonly Imu[], period: number) {
  let { position, orientation } = poseOf(start.pose)
  let velocity = start.linear_velocity as Vector
  const [first, ...others] = measured.map(({ linear_acceleration, angular_velocity }) => ({
    force: linear_acceleration as Vector,
    turnRate: angular_velocity as Vector,
  }))
  if (!first) throw new Error('nothing was measured')
  let before = first
  const free = (force: Vector) => sum(rotated(force, orientation), { x: 0, y: 0, z: -gravity })
  let acceleration = free(before.force)
  for (const now of others) {
    const half = period / 2
    const turn = sum(before.turnRate, now.turnRate)
    orientation = normalized(
      product(orientation, ofRotationVector({ x: turn.x * half, y: turn.y * half, z: turn.z * half })),
    )
    const next = free(now.force)
    const faster = sum(velocity, sum(acceleration, next), half)
    position = sum(position, sum(velocity, faster), half)
    velocity = faster
    acceleration = next
    before = now
  }
  return { pose: { position, orientation }, velocity }
}
