import 'should'
import {
  composed,
  identity,
  inverted,
  ofRotationVector,
  product,
  radians,
  type Pose,
} from '../../../lib/robotics'
import { overBin, useCell } from './use-cell'

const camera_on_hand = identity()
/** The grid 0.6 m in front of the camera, to which the other poses refer. */
const grid_in_cell = composed(overBin(), { ...identity(), position: { x: 0, y: 0, z: 0.6 } })
/** A pose of the hand at which the grid is seen in this place, rotated about its x axis; metres and degrees. */
const seeing = (x: number, y: number, z: number, turned = 0): Pose =>
  composed(
    grid_in_cell,
    inverted({
      position: { x, y, z },
      orientation: ofRotationVector({ x: radians(turned), y: 0, z: 0 }),
    }),
  )

describe('set_pose of a hand-eye calibration', () => {
  const cell = useCell({
    variant: 'multi',
    scenario: { scene: { hand_eye: { camera_on_hand, grid_in_cell } } },
  })

  it('stores what it detects, and says from the fourth pose on that it is enough', async () => {
    const poses = [0, 10, 20, 30].map((turned) => seeing(0, 0, 0.6, turned))
    await cell.record(poses).should.be.fulfilledWith([1, 1, 1, 3])
    const answer = await cell.setPose(2, seeing(0.05, 0, 0.6))
    answer.should.deepEqual({
      success: true,
      status: 3,
      message: 'Grid detected, pose stored. Ready to calibrate.',
      overexposed: false,
    })
    ;(await cell.call('get_poses')).poses?.should.have.length(4)
  })

  for (const [what, pose, words] of [
    ['leaves the picture at the right', seeing(0.3, 0, 0.6), 'leaves it at the right'],
    ['leaves it at the left', seeing(-0.3, 0, 0.6), 'at the left'],
    ['leaves it at the top and the left', seeing(-0.3, -0.3, 0.6), 'at the left and top'],
    ['leaves it at the bottom', seeing(0, 0.3, 0.6), 'at the bottom'],
    ['is behind the camera', seeing(0, 0, -0.6), 'behind the camera'],
    ['is seen from its back', seeing(0, 0, 0.6, 180), 'its back'],
    ['is too steep', seeing(0, 0, 0.6, 65), 'at 65 degrees, more than 60'],
    ['is too far away', seeing(0, 0, 2.2), 'at 2.20 m it is farther than 2 m'],
  ] as const)
    it(`answers 4 if the grid ${what}, and records nothing`, async () => {
      const { message, ...answer } = await cell.setPose(0, pose)
      answer.should.deepEqual({ success: false, status: 4, overexposed: false })
      message.should.startWith('Grid not detected').and.containEql(words)
      ;(await cell.call('get_poses')).should.containEql({ success: true, status: 1, poses: [] })
    })

  it('answers 4 if a small grid is too near', async () => {
    cell.setCell({ camera_on_hand, grid_in_cell, grid_width: 0.05, grid_height: 0.05 })
    const { status, message } = await cell.setPose(0, seeing(0, 0, 0.2))
    status.should.equal(4)
    message.should.containEql('at 0.20 m it is nearer than 0.25 m')
  })

  it('answers 4 if a lens has a smaller field of view', async () => {
    ;(await cell.setPose(0, seeing(0.05, 0, 0.6))).status.should.equal(1)
    cell.setCell({ camera_on_hand, grid_in_cell, opening: 30 })
    ;(await cell.setPose(0, seeing(0.05, 0, 0.6))).status.should.equal(4)
  })

  it('answers 4 if the grid is covered', async () => {
    cell.api.device.setScenario({ grid_visible: false })
    ;(await cell.setPose(0, seeing(0, 0, 0.6))).status.should.equal(4)
  })

  it('answers 8 without an image: the camera is gone, or waits for its trigger', async () => {
    cell.api.device.setScenario({ stale_nodes: ['dev_camera'] })
    ;(await cell.setPose(0, seeing(0, 0, 0.6))).should.containEql({ success: false, status: 8 })
    cell.api.device.setScenario({ stale_nodes: [] })
    const camera = '/pipelines/0/nodes/dev_camera/parameters'
    const { status } = await cell.api.put(`${camera}?acquisition_mode=Trigger&trigger_source=In1`)
    status.should.equal(200)
    const { message, ...answer } = await cell.setPose(0, seeing(0, 0, 0.6))
    answer.should.containEql({ success: false, status: 8 })
    message.should.containEql('trigger')
  })

  it('answers 9 while another program holds the lock', async () => {
    cell.setCell({ camera_on_hand, grid_in_cell, locked: true })
    ;(await cell.setPose(0, seeing(0, 0, 0.6))).should.containEql({ success: false, status: 9 })
  })

  it('answers 12 and 13 before it takes an image', async () => {
    const pose = seeing(0, 0, 0.6)
    const twice = { ...pose, orientation: { w: 2, x: 0, y: 0, z: 0 } }
    ;(await cell.setPose(0, twice)).status.should.equal(12)
    ;(await cell.setPose(16, pose)).status.should.equal(13)
    ;(await cell.setPose(-1, pose)).status.should.equal(13)
  })

  it('flags an image in which the grid is overexposed', async () => {
    const camera = '/pipelines/0/nodes/dev_camera/parameters'
    const { status } = await cell.api.put(`${camera}?exp_control=Manual&exp_value=0.018&gain_value=12`)
    status.should.equal(200)
    ;(await cell.setPose(0, seeing(0, 0, 0.6))).should.containEql({ status: 1, overexposed: true })
    const { poses } = await cell.call('get_poses')
    ;(poses as object[])[0]?.should.containEql({ slot: 0, overexposed: true })
  })

  it('detects the requested tags that are in the picture', async () => {
    await cell.set({ tag_ids: '36h11_1, 36h11_9' })
    await cell.setPose(0, seeing(0, 0, 0.6))
    // The tags are below the grid, whose lower edge just touches that of the picture.
    await cell.setPose(1, seeing(0, 0.17, 0.6))
    const { poses } = await cell.call('get_poses')
    ;(poses as { tag_ids: string[] }[]).map(({ tag_ids }) => tag_ids).should.deepEqual([['36h11_1'], []])
  })

  it("accepts a robot's rounded quaternions", async () => {
    const { position, orientation } = seeing(0, 0, 0.6, 10)
    const rounded = product(orientation, { w: 1.005, x: 0, y: 0, z: 0 })
    ;(await cell.setPose(0, { position, orientation: rounded })).status.should.equal(1)
  })
})
