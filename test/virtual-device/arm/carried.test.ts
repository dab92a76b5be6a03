import should from 'should'
import { decodeMessage, type StreamMessageType } from '../../../lib/codec/streams'
import {
  composed,
  distance,
  inverted,
  rotated,
  angleOf,
  conjugated,
  degrees,
  product,
  type Pose,
  type Vector,
} from '../../../lib/robotics'
import { cameraInImu, gravity } from '../../../virtual-device/motion'
import { openInbox, type Inbox } from '../../support/datagrams'
import { eventually } from '../../support/eventually'
import { program, useArm } from './clients'

/** Up by 80 mm, across by 40 mm, and turned by 0.2 rad about the flange's x. */
const away =
  'movel(pose_trans(pose_add(get_actual_tcp_pose(), p[0.04, 0, 0.08, 0, 0, 0]), p[0, 0, 0, 0.2, 0, 0]), a=0.5, v=0.2)'
const nodes = '/pipelines/0/nodes'

interface Tags {
  tags: { pose: Pose; pose_frame: string }[]
}

for (const mounting of ['robot', 'fixed'] as const)
  describe(`a device beside a robot arm, with the camera ${mounting === 'robot' ? 'on it' : 'fixed'}`, () => {
    const arm = useArm({ scenario: { image_view: 'scene', scene: { hand_eye: { mounting } } } })
    const call = async (node: string, service: string, args: object = {}) => {
      const answer = await arm.bench.put(`${nodes}/dev_${node}/services/${service}`, { json: { args } })
      should(answer.status).equal(200)
      return (answer.body as { response: object }).response
    }
    const start = async () => {
      const primary = await arm.primary()
      primary.send(program('away', away))
      await primary.tells(7, 'PROGRAM_XXX_STARTEDaway')
    }
    const cellTruth = async () =>
      (await arm.bench.send('GET', '/virtual/cell')).body as { camera: Pose; robot_mounted: boolean }
    /** The camera in the base, by what is true about arm and cell. */
    const camera = async () => {
      const { camera: mounted } = await cellTruth()
      return mounting === 'robot' ? composed((await arm.truth()).flange, mounted) : mounted
    }

    describe('its data streams', () => {
      let inbox: Inbox
      beforeEach(async () => {
        inbox = await openInbox()
      })
      afterEach(() => inbox.close())
      /** The newest message of a stream, of now. */
      const newest = async <Type extends StreamMessageType>(stream: string, type: Type) => {
        await arm.bench.put(`/datastreams/${stream}`, { json: { destination: inbox.destination } })
        const before = inbox.received.length
        arm.clock.advance(0.01)
        await eventually(() => inbox.received.length.should.be.above(before))
        await arm.bench.delete(`/datastreams/${stream}`)
        return decodeMessage(type, inbox.received.at(-1) ?? Buffer.alloc(0))
      }

      it('follow the camera', async () => {
        await call('dynamics', 'start')
        arm.clock.advance(3)
        const [before, there] = [(await newest('pose_rt', 'Frame')).pose?.pose as Pose, await camera()]
        await start()
        await arm.pass(0.5)
        const { linear_velocity } = await newest('dynamics', 'Dynamics')
        const speed = Math.hypot(...Object.values(linear_velocity as Vector))
        if (mounting === 'robot') speed.should.be.within(0.1, 0.25)
        else speed.should.equal(0)
        await arm.pass(3)
        const [after, here] = [(await newest('pose_rt', 'Frame')).pose?.pose as Pose, await camera()]
        const expected = composed(inverted(there), here)
        const told = composed(inverted(before), after)
        distance(told.position, expected.position).should.be.below(1e-6)
        degrees(angleOf(product(conjugated(told.orientation), expected.orientation))).should.be.below(1e-3)
        if (mounting === 'robot') distance(there.position, here.position).should.be.above(0.05)
      })

      it('feel gravity alone while the arm stands', async () => {
        const { linear_acceleration, angular_velocity } = await newest('imu', 'Imu')
        Math.hypot(...Object.values(linear_acceleration as Vector)).should.be.approximately(gravity, 1e-9)
        Math.hypot(...Object.values(angular_velocity as Vector)).should.be.below(1e-12)
        const imu = composed(await camera(), inverted(cameraInImu))
        const up = rotated({ x: 0, y: 0, z: gravity }, conjugated(imu.orientation))
        distance(linear_acceleration as Vector, up).should.be.below(1e-6)
      })
    })

    it('sees the things of the cell where they stand, from wherever the arm holds it', async () => {
      const { camera: mounted, robot_mounted } = await cellTruth()
      await call('hand_eye_calibration', 'set_calibration', { pose: mounted, robot_mounted })
      await call('april_tag_detect', 'start')
      const seen = async (pose_frame: string) => {
        arm.clock.advance(1)
        const robot_pose = (await arm.truth()).flange
        const args = { tags: [{ id: '36h11_0' }], pose_frame, ...(mounting === 'robot' && { robot_pose }) }
        const { tags } = (await call('april_tag_detect', 'detect', args)) as Tags
        const [tag] = tags
        if (!tag) throw new Error('No tag was seen.')
        return tag.pose.position
      }
      const [inCell, inCamera] = [await seen('external'), await seen('camera')]
      await start()
      await arm.pass(3)
      // Half a millimetre of noise.
      distance(await seen('external'), inCell).should.be.below(0.005)
      const moved = distance(await seen('camera'), inCamera)
      if (mounting === 'robot') moved.should.be.above(0.03)
      else moved.should.be.below(0.005)
    })
  })
