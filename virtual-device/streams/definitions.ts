import type { StreamMessageType } from '../../lib/codec/streams'
import { cameraPose, dynamics, imu, type Datagram } from './datagrams'

export interface StreamDefinition {
  name: string
  description: string
  protobuf: StreamMessageType
  /** Messages per second. */
  rate: number
  /** Seconds between the moment described by a message and its sending. */
  delay: number
  datagram: Datagram
}

const pose = cameraPose(({ slam }) => (slam ? 'slam' : 'ins'))
const poseIns = cameraPose(() => 'ins')
const poseInRealTime = cameraPose(({ slam }) => (slam ? 'rt_slam' : 'rt_ins'))
const poseInRealTimeIns = cameraPose(() => 'rt_ins')
const motion = dynamics(({ slam }) => (slam ? 'rt_slam' : 'rt_ins'))
const motionIns = dynamics(() => 'rt_ins')

/** The delay is our choice: an image is two frames old when its pose is known. */
const images = { protobuf: 'Frame', rate: 25, delay: 0.08 } as const
const realTime = { rate: 200, delay: 0 } as const

const describe = (what: string, slam: boolean) =>
  `${what}, ${slam ? 'corrected by SLAM where it runs' : 'by inertial navigation only'}`
const [atImages, now] = ['Pose of the left camera at its images', 'Pose of the left camera in real time']
const derivatives = 'Pose, velocity and acceleration of the inertial sensor'

export const definitions: readonly StreamDefinition[] = [
  { name: 'pose', description: describe(atImages, true), ...images, datagram: pose },
  { name: 'pose_ins', description: describe(atImages, false), ...images, datagram: poseIns },
  {
    name: 'pose_rt',
    description: describe(now, true),
    protobuf: 'Frame',
    ...realTime,
    datagram: poseInRealTime,
  },
  {
    name: 'pose_rt_ins',
    description: describe(now, false),
    protobuf: 'Frame',
    ...realTime,
    datagram: poseInRealTimeIns,
  },
  {
    name: 'dynamics',
    description: describe(derivatives, true),
    protobuf: 'Dynamics',
    ...realTime,
    datagram: motion,
  },
  {
    name: 'dynamics_ins',
    description: describe(derivatives, false),
    protobuf: 'Dynamics',
    ...realTime,
    datagram: motionIns,
  },
  {
    name: 'imu',
    description: 'Raw accelerations and turn rates of the inertial sensor',
    protobuf: 'Imu',
    ...realTime,
    datagram: imu,
  },
]
