import should from 'should'
import type { Dynamics, StreamMessageType } from '../../../lib/codec/streams'
import type { Stream, SysInfo } from '../../../lib/contract'
import { composed, distance, product, angleOf, conjugated, degrees } from '../../../lib/robotics/pose'
import { manualClock } from '../../../virtual-device'
import { eventually } from '../../support/eventually'
import { useDevice } from '../support/use-device'
import { steps, useReceivers, type Received } from '../support/use-receivers'
import { allowed, integrated, poseOf } from './integrated'

const began = 1_700_000_000
/** Seconds; less than the pause of the process after which the device catches up. */
const stride = 0.4

describe('the data streams of a virtual device', () => {
  const clock = manualClock(began)
  beforeEach(() => clock.advance(began - clock.now()))
  const api = useDevice({ clock })
  const receive = useReceivers()

  const dynamics = (service: string) =>
    api.put(`/pipelines/0/nodes/dev_dynamics/services/${service}`, { json: {} })
  const add = async (stream: string, { destination }: { destination: string }) => {
    const body = new URLSearchParams({ destination }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    ;(await api.put(`/datastreams/${stream}`, { body, headers })).status.should.equal(200)
  }
  const open = async <Type extends StreamMessageType>(
    stream: string,
    type: Type,
  ): Promise<Received<Type>> => {
    const received = await receive(type)
    await add(stream, received)
    return received
  }
  /** Lets time pass until the stream has sent this many more messages. */
  const go = async (seconds: number, { messages, atLeast }: Received<'Imu'>) => {
    for (let left = seconds; left > 1e-6; left -= stride) {
      const part = Math.min(stride, left)
      const expected = messages.length + Math.round(part * 200)
      clock.advance(part)
      await atLeast(expected)
    }
  }

  it('all arrive, each at its rate, complete and with evenly spaced timestamps', async () => {
    await dynamics('start')
    clock.advance(2)
    const streams = (await api.get('/datastreams')).body as Stream[]
    const all = await Promise.all(
      streams.map(async ({ name, protobuf }) => ({
        name,
        received: await open(name, protobuf as StreamMessageType),
      })),
    )
    await Promise.all(all.map(({ received }) => received.atLeast(1)))
    for (let round = 1; round <= 5; round++) {
      clock.advance(stride)
      await Promise.all(
        all.map(({ name, received }) => received.atLeast(1 + Math.round(round * stride * rateOf(name)))),
      )
    }
    for (const { name, received } of all) {
      const rate = rateOf(name)
      received.messages.length.should.equal(1 + 2 * rate, name)
      steps(received.times).should.eql(Array<number>(2 * rate).fill(1000 / rate), name)
      received.receiver.statistics().should.containEql({ garbage: 0, truncated: 0, foreign: 0, lost: 0 })
    }
  })

  it('carry a motion: imu, integrated over ten seconds, leads to pose', async () => {
    await dynamics('start')
    clock.advance(2.3)
    const imu = await open('imu', 'Imu')
    const motion = await open('dynamics', 'Dynamics')
    const camera = await open('pose_rt', 'Frame')
    await imu.atLeast(1)
    await motion.atLeast(1)
    await go(10, imu)
    await eventually(() => {
      motion.times.at(-1)?.should.equal(imu.times.at(-1))
      camera.times.at(-1)?.should.equal(imu.times.at(-1))
    })
    should(imu.times).eql(motion.times)
    const start = motion.messages[0] as Dynamics
    const { pose, velocity } = integrated(start, imu.messages, 0.005)
    const told = poseOf(camera.messages.at(-1)?.pose?.pose)
    const inside = composed(pose, poseOf(start.cam2imu_transform?.pose?.pose))
    distance(inside.position, told.position).should.be.below(allowed.metres)
    const turned = angleOf(product(conjugated(told.orientation), inside.orientation))
    degrees(turned).should.be.below(allowed.degrees)
    const speed = motion.messages.at(-1)?.linear_velocity
    distance(velocity, speed as typeof velocity).should.be.below(allowed.metresPerSecond)
  })

  it('are sent only while the dynamics module runs, except imu', async () => {
    const imu = await open('imu', 'Imu')
    const pose = await open('pose', 'Frame')
    const motion = await open('dynamics', 'Dynamics')
    await go(1, imu)
    await dynamics('start')
    await go(0.9, imu)
    pose.messages.should.be.empty()
    motion.messages.should.be.empty()
    await go(1, imu)
    await eventually(() => pose.messages.should.not.be.empty())
    await eventually(() => motion.messages.should.not.be.empty())
    const last = imu.times.at(-1)
    await eventually(() => should(motion.times.at(-1)).equal(last))
    await dynamics('stop')
    await go(2, imu)
    should(motion.times.at(-1)).equal(last)
    should(pose.times.at(-1)).be.belowOrEqual(last as number)
  })

  it('differ from their twins with inertial navigation only in the producer', async () => {
    await dynamics('start_slam')
    clock.advance(5)
    for (const [stream, type, producers] of [
      ['pose', 'Frame', ['slam', 'ins']],
      ['pose_rt', 'Frame', ['rt_slam', 'rt_ins']],
      ['dynamics', 'Dynamics', ['rt_slam', 'rt_ins']],
    ] as const) {
      const [one, other] = [await open(stream, type), await open(`${stream}_ins`, type)]
      await one.atLeast(1)
      await other.atLeast(1)
      const messages = [one.messages[0], other.messages[0]]
      should(messages.map((message) => message?.producer)).eql(producers)
      should({ ...messages[0], producer: '' }).eql({ ...messages[1], producer: '' })
    }
  })

  it('have the time that the device was set to, and stay evenly spaced', async () => {
    await api.put(`/system/time?utc=${encodeURIComponent('2030-01-02 03:04:05')}`)
    const imu = await open('imu', 'Imu')
    await imu.atLeast(1)
    await go(stride, imu)
    const [first] = imu.times
    // The time is set to whole seconds.
    should(first).be.approximately(Date.UTC(2030, 0, 2, 3, 4, 5), 5)
    steps(imu.times).should.eql(Array<number>(80).fill(5))
    await api.put(`/system/time?utc=${encodeURIComponent('2020-01-02 03:04:05')}`)
    await go(0.005, imu)
    should(imu.times.at(-1)).be.approximately(Date.UTC(2020, 0, 2, 3, 4, 5), 10)
  })

  it('stop at a reboot, which drops the destinations; those added during the boot receive them afterwards', async () => {
    const imu = await open('imu', 'Imu')
    await imu.atLeast(1)
    await api.put('/system/reboot')
    const until = imu.messages.length
    // Half a second unreachable, one behind the front end; the modules take the rest of three seconds.
    clock.advance(2)
    should(((await api.get('/datastreams/imu')).body as Stream).destinations).eql([])
    await add('imu', imu)
    clock.advance(0.9)
    should(((await api.get('/system')).body as SysInfo).ready).be.false()
    clock.advance(0.2)
    await imu.atLeast(until + 1)
    should(imu.times[until]).equal((began + 3.1) * 1000)
  })

  it('reach a receiver although other destinations are unreachable', async () => {
    // The system refuses a broadcast, and nobody hears the others.
    const dead = ['127.255.255.255:9', '[::1]:9', ...[1, 2, 3, 4, 5, 6, 7].map((port) => `127.0.0.9:${port}`)]
    for (const destination of dead) await add('imu', { destination })
    const imu = await open('imu', 'Imu')
    await go(2, imu)
    steps(imu.times).should.eql(Array<number>(399).fill(5))
  })
})

const rateOf = (stream: string) => (['pose', 'pose_ins'].includes(stream) ? 25 : 200)
