import should from 'should'
import { createClient, type Client } from '../../lib'
import { pictureNow } from '../../lib/images'
import { gridPattern } from '../../lib/images/grid'
import {
  imageSource,
  largestTag,
  startCalibration,
  tagSource,
  type DetectedTag,
  type Mover,
} from '../../lib/calibration'
import { createPlanner, distance, type Pose } from '../../lib/robotics'
import { angleOf, conjugated, degrees, product } from '../../lib/robotics/pose'
import { startVirtualDevice, type CellTruth, type VirtualDevice } from '../../virtual-device'
import { journalInMemory, partsOf, simulatedCell } from './simulated-cell'

const place = { pipeline: '0', node: 'dev_hand_eye_calibration' }
const start: Pose = {
  position: { x: 0.5, y: 0.1, z: 0.7 },
  orientation: { w: 0, x: 1, y: 0, z: 0 },
}
/** Pictures are drawn slowly on a busy machine, milliseconds. */
const patience = 120_000
const never = new AbortController().signal

describe('sightings from the pictures of a device', function () {
  this.timeout(600_000)
  let device: VirtualDevice
  let client: Client
  let hand: Pose

  beforeEach(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
    client = createClient({ address: device.url })
    device.setScenario({ image_view: 'grid' })
    await client.setParameters({
      ...place,
      parameters: [
        { name: 'grid_width', value: 0.26 },
        { name: 'grid_height', value: 0.18 },
      ],
    })
    await moveTo(start)
  })
  afterEach(async () => {
    await client.close()
    await device.stop()
  })

  /** The virtual device knows from this service where the hand is; its own judgement is not used. */
  async function moveTo(pose: Pose): Promise<void> {
    hand = pose
    await client.callService({ ...place, service: 'set_pose', args: { slot: 0, pose } })
  }

  const mover: Mover = {
    standing: () => Promise.resolve({ pose: hand, atRest: true }),
    moveAlong: async (poses) => {
      const last = poses.at(-1)
      if (last) await moveTo(last)
    },
  }
  const port = () => device.ports.images?.port ?? 0
  const source = imageSource({
    take: (signal) => pictureNow({ host: '127.0.0.1', port: port(), signal, longestSilence: patience }),
    pattern: gridPattern(0.26, 0.18),
  })

  it('calibrate a camera on the robot within the bound, without the device saying where the grid is', async () => {
    const { width, height, focalLength } = await pictureNow({
      host: '127.0.0.1',
      port: port(),
      longestSilence: patience,
    })
    const { next } = createPlanner({
      robotMounted: true,
      grid: { width: 0.26, height: 0.18 },
      camera: { width, height, focalLength },
    })
    const journal = journalInMemory()
    const { end } = startCalibration({
      next,
      mover,
      source,
      journal,
      confirm: () => Promise.resolve('go'),
    })
    const done = await end
    if (done.kind !== 'done') throw new Error(JSON.stringify(done))
    const { camera } = done.result
    const expected = (await truth()).camera ?? start
    distance(camera.position, expected.position).should.be.below(2 * done.result.translationBound)
    degrees(angleOf(product(conjugated(expected.orientation), camera.orientation))).should.be.below(
      2 * done.result.rotationBoundDegrees,
    )
    done.result.translationBound.should.be.belowOrEqual(0.001)
    journal.attempts.length.should.be.belowOrEqual(16)
  })

  it('are none while the grid is covered, and fail as the stream does', async () => {
    device.setScenario({ grid_visible: false })
    should(await source.look(never)).equal(undefined)
    await device.stop()
    await source.look(never).should.be.rejectedWith({ code: 'UNREACHABLE' })
  })

  async function truth(): Promise<CellTruth> {
    return (await (await fetch(new URL('/virtual/cell', device.url))).json()) as CellTruth
  }
})

describe('sightings of a tag beside the grid', () => {
  const pose: Pose = { position: { x: 0, y: 0.1, z: 0.7 }, orientation: { w: 0.9999, x: 0, y: 0, z: 0 } }
  const sees = (...tags: DetectedTag[]) =>
    tagSource({ detect: () => Promise.resolve(tags), id: '36h11_0' }).look(never)

  it('are of one tag, by its id', async () => {
    const other = { ...pose, position: { x: 1, y: 1, z: 1 } }
    should(
      await sees({ id: '36h11_1', pose: other }, { id: '36h11_0', pose, pose_frame: 'camera' }),
    ).deepEqual({
      position: pose.position,
      orientation: { w: 1, x: 0, y: 0, z: 0 },
    })
  })

  it('are none if the tag is not there, there twice, or in another frame', async () => {
    should(await sees()).equal(undefined)
    should(await sees({ id: '36h11_1', pose })).equal(undefined)
    should(await sees({ id: '36h11_0', pose }, { id: '36h11_0', pose })).equal(undefined)
    should(await sees({ id: '36h11_0', pose, pose_frame: 'external' })).equal(undefined)
  })

  it('take the largest of the tags that are there once', () => {
    should(
      largestTag([
        { id: 'a', size: 0.1, pose },
        { id: 'a', size: 0.1, pose },
        { id: 'b', size: 0.03, pose },
        { id: 'c', size: 0.05, pose },
      ]),
    ).equal('c')
    should(largestTag([])).equal(undefined)
  })

  it('calibrate as sightings of the grid do', async () => {
    const simulated = simulatedCell(true)
    const parts = partsOf(simulated, journalInMemory())
    const tags = tagSource({
      id: 'beside',
      detect: async (signal) => {
        const grid = await simulated.source.look(signal)
        return grid ? [{ id: 'beside', pose: grid }] : []
      },
    })
    const end = await startCalibration({ ...parts, source: tags }).end
    end.kind.should.equal('done')
  })
})
