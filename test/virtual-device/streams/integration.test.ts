import 'should'
import { decodeMessage, type Time } from '../../../lib/codec/streams'
import {
  composed,
  distance,
  product,
  rotated,
  type Vector,
  angleOf,
  conjugated,
  degrees,
} from '../../../lib/robotics/pose'
import { definitions, timestampAt } from '../../../virtual-device/streams/streams'
import { gravity, motionAt } from '../../../virtual-device/motion'
import { allowed, integrated, poseOf, sum } from './integrated'

const rate = 200
const first = 1_700_000_003 * rate
const navigation = { began: first / rate - 2.3, slam: false }

function datagram(stream: string, index: number): Buffer {
  const found = definitions.find(({ name }) => name === stream)
  const bytes = found?.datagram({
    seconds: index / rate,
    timestamp: timestampAt(index, rate, 0),
    motionAt,
    navigation,
  })
  if (!bytes) throw new Error(`no datagram of ${stream}`)
  return bytes
}
const imu = (index: number) => {
  const { linear_acceleration, angular_velocity } = decodeMessage('Imu', datagram('imu', index))
  return { force: linear_acceleration as Vector, turnRate: angular_velocity as Vector }
}
/** The pose of the device after this many seconds, according to the inertial sensor. */
function carried(seconds: number) {
  const start = decodeMessage('Dynamics', datagram('dynamics', first))
  const measured = Array.from({ length: seconds * rate + 1 }, (_, index) =>
    decodeMessage('Imu', datagram('imu', first + index)),
  )
  return { start, ...integrated(start, measured, 1 / rate) }
}

describe('the streams of one motion', () => {
  it('agree: integrating the inertial sensor leads to the pose of the camera after ten seconds', () => {
    const { pose, velocity, start } = carried(10)
    const camera = composed(pose, poseOf(start.cam2imu_transform?.pose?.pose))
    const end = first + 10 * rate
    const told = poseOf(decodeMessage('Frame', datagram('pose_rt', end)).pose?.pose)
    distance(camera.position, told.position).should.be.below(allowed.metres)
    const turned = product(conjugated(told.orientation), camera.orientation)
    degrees(angleOf(turned)).should.be.below(allowed.degrees)
    const speed = decodeMessage('Dynamics', datagram('dynamics', end)).linear_velocity as Vector
    distance(velocity, speed).should.be.below(allowed.metresPerSecond)
  })

  it('agree halfway too, where the device is elsewhere', () => {
    const { pose, start } = carried(6)
    const told = decodeMessage('Dynamics', datagram('dynamics', first + 6 * rate))
    distance(poseOf(start.pose).position, poseOf(told.pose).position).should.be.above(0.1)
    distance(pose.position, poseOf(told.pose).position).should.be.below(allowed.metres)
  })

  it("have in dynamics the acceleration without gravity, in the sensor's frame", () => {
    for (const index of [first, first + 130, first + 777]) {
      const { pose, linear_acceleration, angular_velocity } = decodeMessage(
        'Dynamics',
        datagram('dynamics', index),
      )
      const up = rotated({ x: 0, y: 0, z: gravity }, conjugated(poseOf(pose).orientation))
      const { force, turnRate } = imu(index)
      distance(sum(linear_acceleration as Vector, up), force).should.be.below(1e-9)
      distance(angular_velocity as Vector, turnRate).should.be.below(1e-12)
    }
  })

  it('name their frames and producers as the device does', () => {
    const frame = (stream: string, slam: boolean) => {
      const found = definitions.find(({ name }) => name === stream)
      const timestamp: Time = { sec: 1, nsec: 0 }
      const bytes = found?.datagram({ seconds: 9, timestamp, motionAt, navigation: { began: 8, slam } })
      return decodeMessage(found?.protobuf ?? 'Frame', bytes ?? Buffer.alloc(0))
    }
    frame('pose', false).should.containDeep({ name: 'camera', parent: 'world', producer: 'ins' })
    frame('pose', true).should.containDeep({ producer: 'slam' })
    frame('pose_ins', true).should.containDeep({ producer: 'ins' })
    frame('pose_rt', true).should.containDeep({ producer: 'rt_slam' })
    frame('pose_rt_ins', true).should.containDeep({ producer: 'rt_ins' })
    frame('dynamics_ins', true).should.containDeep({ producer: 'rt_ins' })
    frame('dynamics', true).should.containDeep({
      pose_frame: 'world',
      linear_velocity_frame: 'world',
      angular_velocity_frame: 'imu',
      linear_acceleration_frame: 'imu',
      cam2imu_transform: { name: 'camera', parent: 'imu' },
      possible_jump: false,
      producer: 'rt_slam',
    })
  })

  it('fit into the datagrams that receivers read', () => {
    for (const { name } of definitions) datagram(name, first).length.should.be.within(60, 512)
  })

  it('have evenly spaced timestamps, whatever time the device is set to', () => {
    const spacing = (offset: number) => {
      const stamps = [0, 1, 2, 3].map((index) => timestampAt(first + index, rate, offset))
      return stamps.slice(1).map(({ sec, nsec }, index) => {
        const before = stamps[index] as Required<Time>
        return (Number(sec) - Number(before.sec)) * 1e9 + nsec - before.nsec
      })
    }
    for (const offset of [0, 0.9987654321, -3600.25, 86_400.9999999999, 0.004_999_999])
      spacing(offset).should.deepEqual([5e6, 5e6, 5e6])
  })
})
