import should from 'should'
import { composed, type Pose, ofRotationVector } from '../../../lib/robotics/pose'
import { bin, gripper, identity, sceneBench } from '../detection/scene-bench'

interface Grasp {
  uuid: string
  pose: Pose
  pose_frame: string
}

/** Upright in the frame of the bin: z of the TCP points down. Metres from the centre of the bin. */
const down = (x: number, y: number, z: number): Pose => ({
  position: { x, y, z },
  orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
})
const standing: Pose = {
  position: { x: 0.4, y: -0.3, z: 0.8 },
  orientation: ofRotationVector({ x: 0.3, y: -0.2, z: 1 }),
}

describe('collision_check', () => {
  const check = (
    poses: readonly Pose[],
    {
      bench = sceneBench(),
      ...args
    }: Record<string, unknown> & { bench?: ReturnType<typeof sceneBench> } = {},
  ) => {
    const { return_code, colliding_grasps, collision_free_grasps } = bench.call(
      'collision_check',
      'check_collisions',
      {
        gripper_id: 'cup',
        grasps: poses.map((pose, index) => ({
          uuid: String(index),
          pose: composed(standing, pose),
          pose_frame: 'camera',
        })),
        load_carriers: [{ ...bin, pose: standing, pose_frame: 'camera' }],
        ...args,
      },
    )
    const uuids = (grasps: unknown) => (grasps as Grasp[]).map(({ uuid }) => uuid)
    return {
      code: return_code.value,
      message: return_code.message,
      colliding: uuids(colliding_grasps),
      free: uuids(collision_free_grasps),
    }
  }

  it('separates grasps that collide with the load carrier from those that do not', () => {
    const middle = down(0, 0, 0.05)
    const nearWall = down(0.27, 0, 0.05)
    const inWall = down(0.29, 0, 0.05)
    const above = down(0.29, 0, 0.15)
    check([middle, nearWall, inWall, above]).should.containDeep({
      code: 0,
      colliding: ['1', '2'],
      free: ['0', '3'],
    })
  })

  it('keeps the configured distance', () => {
    const pose = down(0.25, 0, 0.05)
    const bench = sceneBench()
    check([pose], { bench }).free.should.deepEqual(['0'])
    bench.set('collision_check', { collision_dist: 0.02 })
    check([pose], { bench }).colliding.should.deepEqual(['0'])
  })

  it('checks the bottom unless disabled', () => {
    const bench = sceneBench()
    bench.set('collision_check', { check_flange: false })
    const low = down(0, 0, -0.09)
    check([low], { bench }).colliding.should.deepEqual(['0'])
    bench.set('collision_check', { check_bottom: false })
    check([low], { bench }).free.should.deepEqual(['0'])
  })

  it('refuses a flange inside the load carrier unless disabled', () => {
    const bench = sceneBench()
    const deep = down(0, 0, -0.04)
    check([deep], { bench }).colliding.should.deepEqual(['0'])
    bench.set('collision_check', { check_flange: false })
    check([deep], { bench }).free.should.deepEqual(['0'])
  })

  it('checks the way to the grasp too', () => {
    const pose = down(0.2, 0, 0.05)
    check([pose]).free.should.deepEqual(['0'])
    const sideways = { x: 0.15, y: 0, z: 0 }
    check([pose], { pre_grasp_offset: sideways }).colliding.should.deepEqual(['0'])
    const fromAbove = { x: 0, y: 0, z: -0.2 }
    check([pose], { pre_grasp_offset: fromAbove }).free.should.deepEqual(['0'])
  })

  it('checks all elements along their chain, cylinders too', () => {
    const bench = sceneBench()
    const { elements, ...rest } = gripper()
    const finger = {
      id: 'finger',
      parent_id: 'tube',
      type: 'CYLINDER',
      cylinder: { radius: 0.01, height: 0.1 },
      pose: { ...identity, position: { x: 0.1, y: 0, z: 0 } },
    }
    bench.call('gripper_db', 'set_gripper', { ...rest, elements: [...elements, finger] })
    check([down(0, 0, 0.05), down(0.2, 0, 0.05)], { bench }).should.containDeep({
      free: ['0'],
      colliding: ['1'],
    })
  })

  it('returns grasps unchanged', () => {
    const { return_code, collision_free_grasps } = sceneBench().call('collision_check', 'check_collisions', {
      gripper_id: 'cup',
      grasps: [{ uuid: 'a', pose: identity, pose_frame: 'external' }],
      load_carriers: [],
    })
    return_code.value.should.equal(0)
    should(collision_free_grasps).deepEqual([{ uuid: 'a', pose: identity, pose_frame: 'external' }])
  })

  for (const [name, args, code] of [
    ['an unknown gripper', { gripper_id: 'claw' }, -1],
    ['two frames', { load_carriers: [{ ...bin, pose: standing, pose_frame: 'external' }] }, -1],
    ['a frame that there is not', { load_carriers: [{ ...bin, pose: standing, pose_frame: 'robot' }] }, -1],
    [
      'walls of no thickness',
      {
        load_carriers: [
          { ...bin, inner_dimensions: bin.outer_dimensions, pose: standing, pose_frame: 'camera' },
        ],
      },
      -1,
    ],
    [
      'more than it can do in good time',
      {
        grasps: Array(50).fill({ pose: identity, pose_frame: 'camera' }),
        load_carriers: Array(50).fill({ ...bin, pose: standing, pose_frame: 'camera' }),
      },
      -10,
    ],
  ] as const)
    it(`answers ${code} for ${name}`, () => {
      check([identity], args).should.containDeep({ code, colliding: [], free: [] })
    })

  it('reports what was checked last', () => {
    const bench = sceneBench()
    check([down(0, 0, 0.05), down(0.29, 0, 0.05), down(0.29, 0, 0.05)], { bench })
    bench.status('collision_check').should.containDeep({
      last_evaluated_grasps: 3,
      last_collision_free_grasps: 1,
    })
    bench.status('collision_check').collision_check_time?.should.be.above(0)
  })

  it('has older names for the services of the database', () => {
    sceneBench().call('collision_check', 'get_grippers').grippers?.should.have.length(1)
  })
})
