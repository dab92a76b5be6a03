import { ofEuler } from '../../lib/robotics/euler'
import { rotated, type Pose, type Vector } from '../../lib/robotics/pose'
import { conjugated } from '../../lib/robotics/quaternion'
import { progress } from './progress'

/** The inertial sensor's motion at one moment, in a level frame. */
export interface Motion {
  /** Metres. */
  pose: Pose
  /** m/s, in the level frame. */
  velocity: Vector
  /** m/s², in the level frame, gravity removed. */
  acceleration: Vector
  /** rad/s, in the sensor's frame. */
  angularVelocity: Vector
}

/** @param seconds of the device's clock, up to the present */
export type MotionAt = (seconds: number) => Motion

/** m/s² */
export const gravity = 9.80665

/** The left camera in the frame of the inertial sensor, which is aligned with the device: x ahead, z up. Metres. */
export const cameraInImu: Pose = {
  position: { x: 0.0091, y: 0.0325, z: -0.0124 },
  // The camera's own axes: x to the right, y down, z ahead.
  orientation: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 },
}

/** Metres. */
const radius = 0.2
const climb = 0.03
/** Radians; the orientation in which the device is carried. */
const turned = { yaw: 0.4, pitch: 0.15, roll: 0.1 }

/** A wave along the lap with amplitude `size`, and its derivatives with respect to the angle. */
const wave = (size: number, count: number, angle: number): readonly [number, number, number] => [
  size * Math.sin(count * angle),
  size * count * Math.cos(count * angle),
  -size * count ** 2 * Math.sin(count * angle),
]

/**
 * The device is carried along a closed path, from stop to stop, without end.
 * @param seconds by the device's clock
 */
export function motionAt(seconds: number): Motion {
  const { angle, rate, acceleration } = progress(seconds)
  const [ahead, left, up] = [
    wave(radius, 1, angle),
    // A circle: the sine points ahead, the cosine to the left.
    [radius * (1 - Math.cos(angle)), radius * Math.sin(angle), radius * Math.cos(angle)],
    wave(climb, 2, angle),
  ] as const
  const along = (derive: (by: readonly [number, number, number]) => number): Vector => ({
    x: derive(ahead),
    y: derive(left),
    z: derive(up),
  })
  const yaw = wave(turned.yaw, 1, angle)
  const pitch = wave(turned.pitch, 2, angle)
  const roll = wave(turned.roll, 3, angle)
  return {
    pose: {
      position: along(([value]) => value),
      // First yaw about z, then pitch about the new y, then roll about the new x.
      orientation: ofEuler(['z', 'y', 'x'], [yaw[0], pitch[0], roll[0]]),
    },
    velocity: along(([, first]) => first * rate),
    acceleration: along(([, first, second]) => second * rate ** 2 + first * acceleration),
    angularVelocity: turnRates(pitch[0], roll[0], yaw[1] * rate, pitch[1] * rate, roll[1] * rate),
  }
}

/** Angular velocity about the sensor's own axes from the angles and their rates of change. */
const turnRates = (
  pitch: number,
  roll: number,
  yawRate: number,
  pitchRate: number,
  rollRate: number,
): Vector => ({
  x: rollRate - yawRate * Math.sin(pitch),
  y: pitchRate * Math.cos(roll) + yawRate * Math.cos(pitch) * Math.sin(roll),
  z: yawRate * Math.cos(pitch) * Math.cos(roll) - pitchRate * Math.sin(roll),
})

/** The acceleration in the sensor's own frame, m/s², gravity removed. */
export const accelerationFelt = ({ acceleration, pose }: Motion): Vector =>
  rotated(acceleration, conjugated(pose.orientation))

/** What an accelerometer measures in its own frame, m/s²: at rest, the reaction to gravity. */
export const forceFelt = ({ acceleration: { x, y, z }, pose }: Motion): Vector =>
  rotated({ x, y, z: z + gravity }, conjugated(pose.orientation))
