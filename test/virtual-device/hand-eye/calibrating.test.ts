import should from 'should'
import { readFileSync } from 'node:fs'
import { inverted, composed, type Pose } from '../../../lib/robotics'
import { startVirtualDevice } from '../../../virtual-device'
import {
  between,
  cellAt,
  fourAxisPoses,
  grid,
  overBin,
  twelvePoses,
  useCell,
  type CalibrationAnswer,
} from './use-cell'

const noNoise = { robot_noise: 0, robot_noise_degrees: 0, grid_noise: 0, grid_noise_degrees: 0 }
const within = (found: CalibrationAnswer, truth: Pose, metres: number, degrees: number) => {
  found.should.containEql({ success: true, status: 0 })
  const error = between(truth, found.pose)
  error.metres.should.be.below(metres)
  error.degrees.should.be.below(degrees)
}

describe('a hand-eye calibration on the virtual device', () => {
  const cell = useCell()

  for (const robot_mounted of [true, false])
    describe(robot_mounted ? 'with the camera on the robot' : 'with the camera fixed', () => {
      beforeEach(() => cell.set({ ...grid, robot_mounted }))

      it('is within 1 mm and 0.1° of the true pose with twelve poses, and reports its accuracy', async () => {
        await cell.record(twelvePoses).should.be.fulfilledWith([1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3])
        const found = await cell.calibrate()
        found.robot_mounted.should.equal(robot_mounted)
        within(found, (await cell.truth()).camera, 0.001, 0.1)
        found.translation_error_meter.should.be.within(0.00005, 0.0007)
        found.rotation_error_degree.should.be.within(0.005, 0.1)
        found.error.should.be.within(0.01, 1)
      })

      it('gives the true pose without noise', async () => {
        cell.setCell(noNoise)
        await cell.record(twelvePoses)
        const found = await cell.calibrate()
        within(found, (await cell.truth()).camera, 1e-6, 1e-4)
        found.error.should.be.below(1e-3)
      })

      it('works for a four-axis robot, with the offset along its axis', async () => {
        const tcp_offset = robot_mounted ? 0.06 : 0.1
        await cell.set({ tcp_rotation_axis: 2, tcp_offset })
        await cell.record(fourAxisPoses)
        const found = await cell.calibrate()
        within(found, (await cell.truth()).camera, 0.0015, 0.2)
        await cell.set({ tcp_offset: tcp_offset + 0.01 })
        const shifted = await cell.calibrate()
        between(found.pose, shifted.pose).metres.should.be.approximately(0.01, 0.0005)
      })

      it('assumes the size of the grid in the parameters', async () => {
        cell.setCell(noNoise)
        // Rotating in one place, everything detected scales with the grid without a contradiction.
        const turnedOnly = twelvePoses.map(({ orientation }) => ({ ...overBin(), orientation }))
        await cell.set({ grid_width: 0.286, grid_height: 0.198 })
        await cell.record(turnedOnly)
        const { camera } = await cell.truth()
        const { pose, status } = await cell.calibrate()
        status.should.equal(0)
        between(camera, pose).degrees.should.be.below(0.01)
        const fromHand = robot_mounted ? pose.position : composed(inverted(overBin()), pose).position
        const inTruth = robot_mounted ? camera.position : composed(inverted(overBin()), camera).position
        for (const axis of ['x', 'y', 'z'] as const)
          fromHand[axis].should.be.approximately(1.1 * inTruth[axis], 1e-4)
      })

      it('shows a wrong size by large errors if the robot also moves', async () => {
        await cell.set({ grid_width: 0.286, grid_height: 0.198 })
        await cell.record(twelvePoses)
        const wrong = await cell.calibrate()
        await cell.set(grid)
        const right = await cell.calibrate()
        wrong.error.should.be.above(5 * right.error)
        wrong.translation_error_meter.should.be.above(5 * right.translation_error_meter)
      })

      it('locates the tags beside the grid', async () => {
        await cell.set({ tag_ids: '36h11_2, 36h11_0, 36h11_77' })
        await cell.record(twelvePoses)
        const { tags } = await cell.calibrate()
        tags.map(({ id }) => id).should.deepEqual(['36h11_0', '36h11_2'])
        tags[0]?.size.should.be.approximately(0.04, 1e-9)
        const { grid: board } = await cell.truth()
        const inTruth = {
          position: { x: -0.26 / 3, y: 0.09 + 0.03, z: 0 },
          orientation: { w: 1, x: 0, y: 0, z: 0 },
        }
        const error = between(composed(board, inTruth), tags[0]?.pose as Pose)
        error.metres.should.be.below(0.002)
        error.degrees.should.be.below(0.2)
      })

      it('does not work with the wrong mounting', async () => {
        cell.setCell({ mounting: robot_mounted ? 'robot' : 'fixed' })
        await cell.record(twelvePoses)
        await cell.set({ robot_mounted: !robot_mounted })
        const found = await cell.calibrate()
        const bad = found.status === 2 || found.translation_error_meter > 0.01
        bad.should.be.true()
      })
    })

  it('does not follow a wrong mounting in the parameters by itself', async () => {
    cell.api.device.setScenario({ scene: { hand_eye: {} } })
    await cell.set({ ...grid, robot_mounted: false })
    await cell.record(twelvePoses)
    const found = await cell.calibrate()
    const bad = found.status === 2 || found.translation_error_meter > 0.01
    bad.should.be.true()
    ;(await cell.truth()).robot_mounted.should.be.true()
  })

  it('uses the cell that the scenario describes', async () => {
    const camera_on_hand = { position: { x: 0, y: 0.1, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
    const grid_in_cell = overBin([0, 0, 0], { y: -0.1, z: -0.2 })
    cell.setCell({ camera_on_hand, grid_in_cell, grid_width: 0.1, grid_height: 0.1 })
    ;(await cell.truth()).should.containEql({
      robot_mounted: true,
      camera: camera_on_hand,
      grid: grid_in_cell,
      grid_width: 0.1,
      grid_height: 0.1,
    })
    await cell.set({ grid_width: 0.1, grid_height: 0.1 })
    await cell.record(twelvePoses)
    within(await cell.calibrate(), camera_on_hand, 0.001, 0.1)
  })

  it('reports the sizes of everything in front of the camera, as documented', async () => {
    const { scene, grid_tags } = await cell.truth()
    const rows = readFileSync('docs/virtual-device.md', 'utf8').split('\n')
    const told = (what: string, size: string) =>
      rows.some((row) => row.startsWith('|') && row.includes(what) && row.includes(size))
    const { load_carrier: bin } = scene
    if (!bin) throw new Error('no load carrier')
    const across = ({ x, y, z }: { x: number; y: number; z: number }) => `${x} × ${y} × ${z} m`
    told('outside', across(bin.outer_dimensions)).should.be.true()
    told('inside', across(bin.inner_dimensions)).should.be.true()
    for (const { id, size } of [...scene.tags, ...grid_tags])
      should(told(`\`${id}\``, `${size} m`)).equal(true, `${id} of ${size} m`)
    scene.items.should.have.length(18)
    for (const { type, bounding_box } of scene.items) {
      type.should.match(/^(RECTANGLE|ELLIPSOID)$/)
      const { x, y, z } = bounding_box
      for (const edge of [x, y]) edge.should.be.within(0.03, 0.14)
      z.should.be.within(0.035, 0.065)
    }
  })

  it('places what has no pose at the first recorded pose, and leaves it there', async () => {
    should((await cell.truth()).grid).be.null()
    await cell.setPose(0, overBin())
    const { grid: laid } = await cell.truth()
    await cell.setPose(1, overBin([10, 0, 0]))
    ;(await cell.truth()).grid.should.deepEqual(laid)
    // Nothing is recorded any more, and the grid is still visible from there.
    await cell.call('reset_calibration')
    await cell.setPose(0, overBin([0, 10, 0]))
    ;(await cell.truth()).grid.should.deepEqual(laid)
    await cell.call('reset_calibration')
    await cell.setPose(0, overBin([0, 0, 0], { x: 3 })).should.be.fulfilledWith({
      success: true,
      status: 1,
      message: 'Grid detected, pose stored.',
      overexposed: false,
    })
    ;(await cell.truth()).grid.should.not.deepEqual(laid)
  })

  it('is the same for the same seed, and different in each pipeline', async () => {
    const result = async (seed: number, pipeline = '0') => {
      const device = await startVirtualDevice({ port: 0, variant: 'multi', seed })
      const other = cellAt(() => device.url, pipeline)
      try {
        await other.set(grid)
        await other.record(twelvePoses)
        return (await other.calibrate()).pose
      } finally {
        await device.stop()
      }
    }
    const first = await result(5)
    ;(await result(5)).should.deepEqual(first)
    ;(await result(6)).should.not.deepEqual(first)
    ;(await result(5, '1')).should.not.deepEqual(first)
  })

  describe('reports by its status why there is no result:', () => {
    const alike = Array.from({ length: 5 }, (_, index) => overBin([0, 0, 0.1 * index]))
    const oneAxis = [0, 10, 20, -10, -20].map((angle) => overBin([0, 0, angle], { x: 0.6 + angle / 1000 }))
    for (const [what, status, poses, parameters] of [
      ['no size of the grid', 3, twelvePoses, {}],
      ['too few poses', 1, twelvePoses.slice(0, 3), grid],
      ['poses that are too alike', 6, alike, grid],
      ['positions alone', 6, [0, 0.05, 0.1, 0.15].map((x) => overBin([0, 0, 0], { x: 0.55 + x })), grid],
      ['one axis alone', 4, oneAxis, grid],
      ['more than one axis, but 4-DOF settings', 5, twelvePoses, { ...grid, tcp_rotation_axis: 2 }],
      ['another axis than the one set', 2, oneAxis, { ...grid, tcp_rotation_axis: 0 }],
      [
        '4-DOF poses in one place',
        6,
        [0, 20, 40, 60].map((z) => overBin([0, 0, z])),
        { ...grid, tcp_rotation_axis: 2 },
      ],
    ] as const)
      it(what, async () => {
        if (Object.keys(parameters).length > 0) await cell.set(parameters)
        const statuses = await cell.record(poses)
        statuses.every((each) => each === 1 || each === 3).should.be.true()
        const answer = await cell.calibrate()
        answer.should.containEql({ success: false, status })
        answer.message.should.not.be.empty()
        answer.should.have.properties('pose', 'error', 'robot_mounted', 'tags')
        ;(await cell.call('save_calibration')).should.containEql({ success: false, status: 2 })
      })
  })

  it('drops an earlier result if a later one fails', async () => {
    await cell.set(grid)
    await cell.record(twelvePoses)
    await cell.calibrate()
    await cell.set({ tcp_rotation_axis: 1 })
    ;(await cell.calibrate()).status.should.equal(5)
    ;(await cell.call('save_calibration')).status.should.equal(2)
  })
})
