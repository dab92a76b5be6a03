import { encodeMessage, type Frame, type StreamMessageType, type Time } from '../../lib/codec/streams'
import type { Stream } from '../../lib/contract'
import type { Pose } from '../../lib/robotics/pose'
import {
  accelerationFelt,
  cameraInImu,
  cameraInWorld,
  forceFelt,
  type MotionAt,
  motionInWorld,
} from '../motion'
import { Refusal } from '../values'
import { destinationOf, Outlet, Pace } from './outlet'
import type { Navigation } from './streams'

const mostDestinations = 10

/** One stream and its destinations. */
export class Channel {
  private outlets = new Map<string, Outlet>()
  private pace: Pace | undefined

  /** @param served the address at which the device is reached */
  constructor(
    private readonly definition: StreamDefinition,
    private readonly served: () => string | undefined,
  ) {}

  get idle(): boolean {
    return this.outlets.size === 0
  }

  record(): Stream {
    const { name, description, protobuf } = this.definition
    return { name, description, destinations: [...this.outlets.keys()], protobuf, protocol: 'UDP' }
  }

  /** @throws Refusal 400, 403; none of them is then added */
  add(destinations: readonly string[]): void {
    const read = destinations.map((text) => [text, destinationOf(text)] as const)
    const fresh = new Map(read.filter(([text]) => !this.outlets.has(text)))
    if (this.outlets.size + fresh.size > mostDestinations)
      throw new Refusal(
        403,
        `the stream ${this.definition.name} has at most ${mostDestinations} destinations: remove one first`,
      )
    for (const [text, destination] of fresh) this.outlets.set(text, new Outlet(destination, this.served))
  }

  /** @throws Refusal 400; none of them is then removed */
  remove(destinations: readonly string[]): void {
    destinations.forEach(destinationOf)
    for (const text of destinations) {
      this.outlets.get(text)?.close()
      this.outlets.delete(text)
    }
    if (this.idle) this.rest()
  }

  clear(): void {
    this.remove([...this.outlets.keys()])
  }

  /** Stops sending until the next call; the destinations stay. */
  rest(): void {
    this.pace = undefined
    for (const outlet of this.outlets.values()) outlet.close()
  }

  /**
   * Sends what is due.
   * @param now by the clock @param momentOf returns the moment this many periods after 1970
   * @returns seconds until more is due
   */
  send(now: number, momentOf: (index: number, rate: number) => Moment): number {
    const { rate, delay, datagram } = this.definition
    const pace = (this.pace ??= new Pace(rate, delay))
    for (const index of pace.due(now)) {
      const bytes = datagram(momentOf(index, rate))
      if (bytes) for (const outlet of this.outlets.values()) outlet.send(bytes)
    }
    return pace.wait(now)
  }
}

/** The moment described by a message. */
interface Moment {
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
type Datagram = (moment: Moment) => Buffer | undefined

type Producer = (navigation: Navigation) => string

const imu: Datagram = ({ seconds, timestamp, motionAt }) => {
  const now = motionAt(seconds)
  return encodeMessage('Imu', {
    timestamp,
    linear_acceleration: forceFelt(now),
    angular_velocity: now.angularVelocity,
  })
}

/** The left camera in the world frame. */
const cameraPose = (producer: Producer): Datagram =>
  whileEstimating(({ seconds, timestamp, motionAt }, navigation) =>
    encodeMessage(
      'Frame',
      frame('world', timestamp, cameraInWorld(motionAt, seconds, navigation.began), producer(navigation)),
    ),
  )

/** Without the covariance: programs for real devices read into buffers that are too small for it. */
const dynamics = (producer: Producer): Datagram =>
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

interface StreamDefinition {
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
