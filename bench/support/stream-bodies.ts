import type { Dynamics, Frame, Imu, StreamMessages, StreamMessageType } from '../../lib/codec/streams'
import { seededRandom } from '../../virtual-device/values'

export type StreamBodies = {
  [Type in StreamMessageType]: {
    name: string
    type: Type
    bodies: readonly StreamMessages[Type][]
    /** @default true */
    packed?: boolean
  }
}[StreamMessageType]

/** Enough to defeat a cache of the last message. */
const variants = 64
const random = seededRandom(1)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const number = () => 2 * random() - 1
const vector = () => ({ x: number(), y: number(), z: number() })
const orientation = () => ({ x: number(), y: number(), z: number(), w: number() })

const timestamp = (index: number) => ({ sec: 1_700_000_000 + index, nsec: (index * 5_000_000) % 1e9 })

const frame = (index: number, covariance?: number[]): Frame => ({
  pose: {
    timestamp: timestamp(index),
    pose: { position: vector(), orientation: orientation(), ...(covariance && { covariance }) },
  },
  parent: 'world',
  name: 'camera',
  producer: 'rt_slam',
})

const imu = (index: number): Imu => ({
  timestamp: timestamp(index),
  linear_acceleration: vector(),
  angular_velocity: vector(),
})

export const dynamics = (index: number, covariance?: number[]): Dynamics => ({
  timestamp: timestamp(index),
  pose: { position: vector(), orientation: orientation() },
  pose_frame: 'world',
  linear_velocity: vector(),
  linear_velocity_frame: 'world',
  angular_velocity: vector(),
  angular_velocity_frame: 'imu',
  linear_acceleration: vector(),
  linear_acceleration_frame: 'imu',
  ...(covariance && { covariance }),
  cam2imu_transform: frame(index),
  possible_jump: false,
  producer: 'rt_slam',
})

const frames = times(variants, (index) => frame(index, times(36, number)))
const motions = times(variants, (index) => dynamics(index, times(225, number)))

export const streamBodies: readonly StreamBodies[] = [
  { name: 'Imu', type: 'Imu', bodies: times(variants, imu) },
  { name: 'Frame', type: 'Frame', bodies: times(variants, (index) => frame(index)) },
  { name: 'Frame, 36 doubles packed', type: 'Frame', bodies: frames },
  { name: 'Frame, 36 doubles unpacked', type: 'Frame', bodies: frames, packed: false },
  { name: 'Dynamics', type: 'Dynamics', bodies: times(variants, (index) => dynamics(index)) },
  { name: 'Dynamics, 225 doubles packed', type: 'Dynamics', bodies: motions },
  { name: 'Dynamics, 225 doubles unpacked', type: 'Dynamics', bodies: motions, packed: false },
]
