import 'should'
import { moduleBench } from '../../support/module-bench'

type Bench = ReturnType<typeof moduleBench>
const pose = { position: { x: 0.1, y: 0.2, z: 0.3 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
const call = (bench: Bench, service: string, args: object = {}) =>
  bench.call('hand_eye_calibration', service, { ...args }) as unknown as Record<string, unknown> & {
    success: boolean
    status: number
    message: string
  }
const answer = (bench: Bench, service: string, args?: object) => {
  const { success, status } = call(bench, service, args)
  return [success, status]
}
const record = (bench: Bench, count: number) => {
  for (let slot = 0; slot < count; slot += 1) call(bench, 'set_pose', { slot, pose })
}

describe('hand_eye_calibration', () => {
  it('reports when there are enough poses', () => {
    const bench = moduleBench()
    for (const slot of [0, 15, 7]) answer(bench, 'set_pose', { slot, pose }).should.deepEqual([true, 1])
    // A reused slot is overwritten.
    answer(bench, 'set_pose', { slot: 7, pose }).should.deepEqual([true, 1])
    const { message, ...enough } = call(bench, 'set_pose', { slot: 1, pose })
    enough.should.deepEqual({ success: true, status: 3, overexposed: false })
    message.should.startWith('Grid detected, pose stored.')
  })

  for (const [what, args, status] of [
    ['a slot above 15', { slot: 16, pose }, 13],
    ['a negative slot', { slot: -1, pose }, 13],
    ['no unit quaternion', { slot: 0, pose: { ...pose, orientation: { w: 1, x: 0.2, y: 0, z: 0 } } }, 12],
  ] as const)
    it(`refuses ${what}`, () => {
      const bench = moduleBench()
      answer(bench, 'set_pose', args).should.deepEqual([false, status])
      answer(bench, 'get_poses').should.deepEqual([true, 1])
    })

  it('refuses a pose at which the grid is not detected', () => {
    const bench = moduleBench()
    bench.scenario.grid_visible = false
    answer(bench, 'set_pose', { slot: 0, pose }).should.deepEqual([false, 4])
  })

  it('lists and deletes poses', () => {
    const bench = moduleBench()
    bench.set('hand_eye_calibration', { tag_ids: '36h11_1, 36h11_2' })
    record(bench, 3)
    const { poses, status } = call(bench, 'get_poses')
    status.should.equal(0)
    const listed = poses as { slot: number }[]
    listed.map(({ slot }) => slot).should.deepEqual([0, 1, 2])
    listed[0]?.should.deepEqual({ slot: 0, pose, overexposed: false, tag_ids: ['36h11_1', '36h11_2'] })
    answer(bench, 'delete_poses', { slots: [] }).should.deepEqual([true, 1])
    answer(bench, 'delete_poses').should.deepEqual([true, 1])
    answer(bench, 'delete_poses', { slots: [0, 2, 9] }).should.deepEqual([true, 0])
    ;(call(bench, 'get_poses').poses as object[]).length.should.equal(1)
  })

  it('reports why there is no result, with all fields of a result', () => {
    const bench = moduleBench()
    const fields = [
      'pose',
      'error',
      'robot_mounted',
      'translation_error_meter',
      'rotation_error_degree',
      'tags',
    ]
    call(bench, 'calibrate').should.have.properties(...fields, 'success', 'status', 'message')
    answer(bench, 'calibrate').should.deepEqual([false, 3])
    bench.set('hand_eye_calibration', { grid_width: 0.26, grid_height: 0.18 })
    record(bench, 3)
    answer(bench, 'calibrate').should.deepEqual([false, 1])
    record(bench, 4)
    answer(bench, 'calibrate').should.deepEqual([false, 6])
    answer(bench, 'get_calibration').should.deepEqual([false, 2])
    call(bench, 'get_calibration').should.have.properties(...fields)
  })

  for (const save of ['save', 'save_calibration'])
    it(`has nothing to ${save} without a result`, () => {
      answer(moduleBench(), save).should.deepEqual([false, 2])
    })

  it('stores a known transformation, also across a restart', () => {
    const bench = moduleBench()
    const tags = [{ id: 'a', size: 0.05, pose }]
    answer(bench, 'set_calibration', { pose, robot_mounted: false, tags }).should.deepEqual([true, 0])
    const { message, ...stored } = call(bench, 'get_calibration')
    message.should.not.be.empty()
    stored.should.deepEqual({
      success: true,
      status: 0,
      pose,
      tags,
      robot_mounted: false,
      error: 0,
      translation_error_meter: 0,
      rotation_error_degree: 0,
    })
    const after = moduleBench()
    after.restoreFrom(bench)
    call(after, 'get_calibration').should.containDeep(stored)
  })

  it('stores no transformation with a quaternion of another length', () => {
    const bench = moduleBench()
    const none = { ...pose, orientation: { w: 0, x: 0, y: 0, z: 0 } }
    answer(bench, 'set_calibration', { pose: none, robot_mounted: true }).should.deepEqual([false, 12])
    answer(bench, 'set_calibration', { pose, robot_mounted: true, tags: [{ pose: none }] }).should.deepEqual([
      false,
      12,
    ])
    answer(bench, 'get_calibration').should.deepEqual([false, 2])
  })

  for (const service of ['reset', 'reset_calibration', 'save', 'save_calibration', 'remove_calibration'])
    it(`removes the recorded poses on ${service}`, () => {
      const bench = moduleBench()
      call(bench, 'set_calibration', { pose, robot_mounted: true })
      record(bench, 4)
      call(bench, service).success.should.be.true()
      call(bench, 'get_poses').poses?.should.deepEqual([])
      call(bench, 'get_calibration').success.should.equal(service !== 'remove_calibration')
    })

  it('reports whether there was anything to remove', () => {
    const bench = moduleBench()
    answer(bench, 'remove_calibration').should.deepEqual([true, 1])
    call(bench, 'set_calibration', { pose, robot_mounted: true })
    answer(bench, 'remove_calibration').should.deepEqual([true, 0])
  })
})
