import {
  composed,
  inverted,
  type Pose,
  product,
  rotated,
  type Vector,
  conjugated,
  ofEuler,
  rotationVectorOf,
} from '../lib/robotics/pose'
import type { Module } from './module'

/** The inertial sensor's motion at one moment, in a level frame. */
interface Motion {
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

const radius = 0.2 // metres
const climb = 0.03
/** Radians; the orientation in which the device is carried. */
const turned = { yaw: 0.4, pitch: 0.15, roll: 0.1 }

/** A wave along the lap with amplitude `size`, and its derivatives with respect to the angle. */
const wave = (size: number, count: number, angle: number): readonly [number, number, number] => [
  size * Math.sin(count * angle),
  size * count * Math.cos(count * angle),
  -size * count ** 2 * Math.sin(count * angle),
]

/** The device is carried along a closed path, from stop to stop, without end. @param seconds by the device's clock */
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

/** Seconds over which speeds and accelerations are averaged: a few cycles of any arm. */
const span = 0.032

/** With the robot arm of its cell, otherwise along a closed path. @param handEye hand-eye calibration of the pipeline */
export function deviceMotion(handEye: Module | undefined): MotionAt {
  const camera = carriedCameraOf(handEye)
  if (!camera) return motionAt
  const imuInCamera = inverted(cameraInImu)
  return (seconds) => derived((at) => composed(camera.at(at), imuInCamera), seconds)
}

/** Derivatives of a frame over the last moments, its poses being known up to now. */
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

/**
 * The motion in the estimated world frame: the pose of the sensor when the estimation began, levelled, with x in the
 * device's viewing direction. @param seconds by the clock @param began by the same clock
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

/** Seconds per lap, which has four legs; the device pauses briefly at the end of each leg. */
export const lap = 10
const legs = 4
const moving = 2

interface Progress {
  angle: number
  rate: number
  acceleration: number
}

/** Moves from stop to stop with minimum jerk, so that position, velocity and acceleration are continuous. */
function progress(seconds: number): Progress {
  const sinceLap = seconds - lap * Math.floor(seconds / lap)
  const leg = Math.floor((sinceLap * legs) / lap)
  const part = Math.min(1, (sinceLap - (leg * lap) / legs) / moving)
  const turn = (2 * Math.PI) / legs
  return {
    angle: turn * (leg + part ** 3 * (10 - 15 * part + 6 * part ** 2)),
    rate: (turn / moving) * 30 * part ** 2 * (1 - part) ** 2,
    acceleration: (turn / moving ** 2) * 60 * part * (1 - part) * (1 - 2 * part),
  }
}

/** A camera in the cell of a robot arm, on it or beside it. In the arm's base, metres. */
export interface CarriedCamera {
  /** @param seconds of the device's clock, up to the present */
  at: (seconds: number) => Pose
  start: Pose
  /** Otherwise the grid is on the arm's flange. */
  isOnArm: boolean
}

/** Knows how the camera is mounted. */
export type CarryingModule = Module & { carriedCamera: () => CarriedCamera | undefined }

/** @param handEye the hand-eye calibration of a pipeline @returns undefined without an arm */
export const carriedCameraOf = (handEye: Module | undefined): CarriedCamera | undefined =>
  (handEye as CarryingModule | undefined)?.carriedCamera()
