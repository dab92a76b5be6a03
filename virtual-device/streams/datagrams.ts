import { encodeMessage, type Frame, type Time } from '../../lib/codec/streams'
import type { Pose } from '../../lib/robotics/pose'
import { cameraInWorld, motionInWorld } from '../motion/in-world'
import { accelerationFelt, cameraInImu, forceFelt, type MotionAt } from '../motion/motion'
import type { Navigation } from './navigation'

/** The moment described by a message. */
export interface Moment {
  /** Seconds of the clock. */
  seconds: number
  /** Device time. */
  timestamp: Time
  /** How the device moves. */
  motionAt: MotionAt
  /** Undefined while the device does not estimate its motion. */
  navigation: Navigation | undefined
}

/** An encoded message; undefined if there is nothing to send. */
export type Datagram = (moment: Moment) => Buffer | undefined

type Producer = (navigation: Navigation) => string

export const imu: Datagram = ({ seconds, timestamp, motionAt }) => {
  const now = motionAt(seconds)
  return encodeMessage('Imu', {
    timestamp,
    linear_acceleration: forceFelt(now),
    angular_velocity: now.angularVelocity,
  })
}

/** The left camera in the world frame. */
export const cameraPose = (producer: Producer): Datagram =>
  whileEstimating(({ seconds, timestamp, motionAt }, navigation) =>
    encodeMessage(
      'Frame',
      frame('world', timestamp, cameraInWorld(motionAt, seconds, navigation.began), producer(navigation)),
    ),
  )

/** Without the covariance: programs for real devices read into buffers that are too small for it. */
export const dynamics = (producer: Producer): Datagram =>
  whileEstimating(({ seconds, timestamp, motionAt }, navigation) => {
    const now = motionInWorld(motionAt, seconds, navigation.began)
    return encodeMessage('Dynamics', {
      timestamp,
      pose: now.pose,
      pose_frame: 'world',
      linear_velocity: now.velocity,
      linear_velocity_frame: 'world',
      angular_velocity: now.angularVelocity,
      angular_velocity_frame: 'imu',
      linear_acceleration: accelerationFelt(now),
      linear_acceleration_frame: 'imu',
      cam2imu_transform: frame('imu', timestamp, cameraInImu, 'ins'),
      possible_jump: false,
      producer: producer(navigation),
    })
  })

const frame = (parent: string, timestamp: Time, pose: Pose, producer: string): Frame => ({
  pose: { timestamp, pose },
  parent,
  name: 'camera',
  producer,
})

function whileEstimating(encoded: (moment: Moment, navigation: Navigation) => Buffer): Datagram {
  return (moment) => {
    const { navigation, seconds } = moment
    return navigation && navigation.began <= seconds ? encoded(moment, navigation) : undefined
  }
}
