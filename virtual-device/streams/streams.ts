/** Data streams to their destinations. In: the state of the device. Out: datagrams. */
import { createSocket, type Socket } from 'node:dgram'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { encodeMessage, type Frame, type StreamMessageType, type Time } from '../../lib/codec/streams'
import type { Stream } from '../../lib/contract'
import type { Pose } from '../../lib/robotics/pose'
import { startTimeout } from '../../lib/kernel/timers'
import type { Module } from '../module'
import type { StateStay } from '../modules/dynamics'
import { navigationRuns } from '../modules/stereo-navigation'
import {
  accelerationFelt,
  motionAt as alongPath,
  cameraInImu,
  cameraInWorld,
  forceFelt,
  type MotionAt,
  motionInWorld,
} from '../motion'
import { type Clock, cut, Refusal, shown } from '../values'

/** Milliseconds until a stopped or changed clock, or the end of a boot, is noticed. */
const longestSleep = 50

interface StreamsOptions {
  /** Sets the pace of the streams and moves the device. */
  clock: Clock
  /** Seconds by which the device's time is ahead of the clock. @default () => 0 */
  ahead?: () => number
  /** Undefined while motion estimation does not run. */
  navigation: () => Navigation | undefined
  /** @default along a closed path */
  motionAt?: MotionAt
  /** The device sends; it does not while it boots. @default () => true */
  ready?: () => boolean
}

/** Destinations do not survive a reboot: `clear`. */
export interface Streams {
  list: () => Stream[]
  /** @throws Refusal 404 */
  get: (name: string) => Stream
  /**
   * Ignores existing ones. @param destinations `192.168.0.2:30000` or `[fe80::1]:30000`
   * @throws Refusal 400, 403 beyond ten, 404; none of them is then added
   */
  add: (name: string, destinations: readonly string[]) => void
  /** Removes all if none is named. @throws Refusal 400, 404; none of them is then removed */
  remove: (name: string, destinations?: readonly string[]) => void
  clear: () => void
  /** Starts sending. Before, and after `stop`, nothing is sent. @param served address that datagrams are sent from */
  start: (served?: string) => void
  stop: () => void
}

/** Works only while there are destinations. */
export function streams({
  clock,
  ahead = () => 0,
  navigation,
  motionAt = alongPath,
  ready = () => true,
}: StreamsOptions): Streams {
  let servedAt: string | undefined
  const channels = new Map(
    definitions.map((definition) => [definition.name, new Channel(definition, () => servedAt)]),
  )
  let started = false
  let timer: NodeJS.Timeout | undefined

  const channel = (name: string): Channel => {
    const found = channels.get(name)
    if (found) return found
    throw new Refusal(404, `there is no stream ${cut(name, 60)}`)
  }
  const send = () => {
    timer = undefined
    const busy = [...channels.values()].filter(({ idle }) => !idle)
    if (!started || busy.length === 0) return
    timer = startTimeout(send, ready() ? sendDue(busy) : longestSleep)
  }
  /** @returns milliseconds until more is due */
  const sendDue = (busy: readonly Channel[]): number => {
    const now = clock.now()
    const [estimation, offset] = [navigation(), ahead()]
    const waits = busy.map((each) =>
      each.send(now, (index, rate) => ({
        seconds: index / rate,
        timestamp: timestampAt(index, rate, offset),
        motionAt,
        navigation: estimation,
      })),
    )
    const sleep = Math.min(longestSleep, Math.ceil(1000 * Math.min(...waits)))
    return Math.max(1, sleep)
  }

  return {
    list: () => [...channels.values()].map((each) => each.record()),
    get: (name) => channel(name).record(),
    add: (name, destinations) => {
      channel(name).add(destinations)
      if (!timer) send()
    },
    remove: (name, destinations) => {
      if (destinations) channel(name).remove(destinations)
      else channel(name).clear()
    },
    clear: () => {
      for (const each of channels.values()) each.clear()
    },
    start: (served) => {
      started = true
      servedAt = served
      if (!timer) send()
    },
    stop: () => {
      started = false
      clearTimeout(timer)
      timer = undefined
      for (const each of channels.values()) each.rest()
    },
  }
}

export interface Navigation {
  /** Its start, seconds of the clock. */
  began: number
  /** Corrected by SLAM. */
  slam: boolean
}

/** @param dynamics the dynamics module; a device without it does not estimate its motion */
export function navigationOf(dynamics: Module | undefined): Navigation | undefined {
  const history = (dynamics as (Module & { history: () => StateStay[] }) | undefined)?.history() ?? []
  const now = history.at(-1)
  if (!now || !navigationRuns(now.state)) return undefined
  const rest = history.findLastIndex(({ state }) => !navigationRuns(state))
  return { began: (history[rest + 1] ?? now).from, slam: now.state === 'RUNNING_WITH_SLAM' }
}

const nanoseconds = 1e9

/**
 * The exact timestamp of a message, so that timestamps are evenly spaced. @param index of the moment, in periods since
 * 1970 @param rate periods per second @param ahead seconds to add
 */
export function timestampAt(index: number, rate: number, ahead: number): Required<Time> {
  const seconds = Math.floor(index / rate)
  const more = Math.floor(ahead)
  const nsec = Math.round(((index - seconds * rate) / rate + ahead - more) * nanoseconds)
  return nsec < nanoseconds
    ? { sec: seconds + more, nsec }
    : { sec: seconds + more + 1, nsec: nsec - nanoseconds }
}

const mostWaiting = 64 * 1024 // bytes waiting in the system above which further datagrams are dropped

/** Milliseconds before another attempt to open a socket or to find a route. */
const pause = 1000

/**
 * Sends datagrams to one destination through a socket of its own, so that datagrams for an unresponsive host only fill
 * that socket's buffer. Errors are not reported, as usual with UDP.
 */
class Outlet {
  private socket: Socket | undefined
  private closedUntil = -Infinity

  /** @param served address of the device */
  constructor(
    private readonly to: Destination,
    private readonly served: () => string | undefined,
  ) {}

  send(datagram: Buffer): void {
    if (!this.socket && performance.now() < this.closedUntil) return
    const socket = (this.socket ??= this.open())
    if (socket && socket.getSendQueueSize() < mostWaiting)
      socket.send(datagram, this.to.port, this.to.host, ignored)
  }

  close(): void {
    const { socket } = this
    this.socket = undefined
    socket?.close()
  }

  private open(): Socket | undefined {
    const route = routeTo(this.to, this.served())
    if (!route) {
      this.closedUntil = performance.now() + pause
      return undefined
    }
    // The host is an address: a DNS lookup would only cost time.
    const { family } = this.to
    const lookup = (
      host: string,
      _: unknown,
      found: (error: null, address: string, family: number) => void,
    ) => found(null, host, family === 'udp4' ? 4 : 6)
    const socket = createSocket({ type: family, lookup })
    // It could not be opened: there are too many sockets, or the address family is not available.
    socket.on('error', () => {
      if (this.socket !== socket) return
      this.close()
      this.closedUntil = performance.now() + pause
    })
    if (route.from !== undefined) socket.bind({ address: route.from, port: 0, exclusive: true })
    return socket
  }
}

const ignored = () => undefined

interface RouteOptions {
  /** Local address of the sender. @default chosen by the system */
  from?: string
}

/**
 * Datagrams are sent from the device's own address, because receivers drop datagrams from other hosts. A device on
 * loopback sends only to this machine. @param served address that the device listens on @returns undefined if sending
 * is not allowed
 */
export function routeTo({ host, family }: Destination, served: string | undefined): RouteOptions | undefined {
  if (served === undefined || everywhere.includes(served)) return {}
  const ofFamily = family === 'udp4' ? isIPv4 : isIPv6
  if (!isLoopback(served)) return ofFamily(served) ? { from: served } : {}
  if (!isLoopback(host) && !isOwn(host)) return undefined
  return { from: ofFamily(served) ? served : family === 'udp4' ? '127.0.0.1' : '::1' }
}

const everywhere = ['0.0.0.0', '::']

const loopback = new BlockList()

loopback.addSubnet('127.0.0.0', 8)

loopback.addAddress('::1', 'ipv6')

const withoutZone = (host: string): string => host.replace(/%.*/, '')

const isLoopback = (host: string): boolean => {
  const address = withoutZone(host)
  return loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

const isOwn = (host: string): boolean =>
  Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === withoutZone(host).toLowerCase()),
  )

interface Destination {
  host: string
  port: number
  family: 'udp4' | 'udp6'
}

/** Parses `192.168.0.2:30000` or `[fe80::1%eth0]:30000`. @throws Refusal 400 */
export function destinationOf(text: string): Destination {
  const [, four, six, port = ''] =
    /^(?:([\d.]+)|\[([0-9a-f:.]+(?:%[\w.-]+)?)\]):([1-9]\d{0,4})$/i.exec(text) ?? []
  const host = four ?? six ?? ''
  const known = four === undefined ? isIPv6(host) : isIPv4(host)
  if (!known || Number(port) > 65_535)
    throw new Refusal(400, `destination: ${shown(text)} must have the form <ip>:<port>`)
  return { host, port: Number(port), family: four === undefined ? 'udp6' : 'udp4' }
}

/** Seconds: after a shorter pause of the process, its messages are sent late; after a longer one they are skipped. */
const madeUpFor = 0.5

/** Schedules moments at multiples of the period on the clock, so that delays do not add up. */
export class Pace {
  private next: number | undefined

  /** @param rate moments per second @param delay seconds after which a moment is due */
  constructor(
    private readonly rate: number,
    private readonly delay: number,
  ) {}

  /** The moments that have become due since the last call, as multiples of the period. */
  due(now: number): number[] {
    const latest = this.latest(now)
    const late = this.next === undefined ? undefined : latest - this.next
    // At the first call, and after the clock was changed.
    const first =
      late === undefined || late < -2 || late > madeUpFor * this.rate ? latest : (this.next as number)
    this.next = Math.max(first, latest + 1)
    return Array.from({ length: latest - first + 1 }, (_, index) => first + index)
  }

  /** Seconds until the next moment is due. */
  wait(now: number): number {
    return (this.next ?? this.latest(now) + 1) / this.rate + this.delay - now
  }

  private latest(now: number): number {
    // A clock with a resolution of milliseconds must not make the moment itself seem early.
    return Math.floor((now - this.delay) * this.rate + 1e-4)
  }
}

const mostDestinations = 10

class Channel {
  private outlets = new Map<string, Outlet>()
  private pace: Pace | undefined

  /** @param served address of the device */
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

  /** @param now by the clock @param momentOf by periods since 1970 @returns seconds until more is due */
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

interface Moment {
  /** Seconds of the clock. */
  seconds: number
  timestamp: Time
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
