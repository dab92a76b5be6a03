import 'should'
import { distance } from '../../../lib/robotics/pose'
import { axisOf, seenFrom } from '../../../virtual-device/detection/geometry'
import { gripper, identity, sceneBench } from '../detection/scene-bench'
import { anyBox, call, inBin, running } from './pick-bench'

for (const name of ['itempick', 'boxpick'] as const)
  describe(name, () => {
    it('detects nothing while it is not running', () => {
      const bench = sceneBench()
      call(bench, name).should.containDeep({ code: -8, grasps: [], items: [] })
      bench.call(name, 'start')
      call(bench, name).code.should.equal(0)
      bench.call(name, 'stop').should.deepEqual({ accepted: true, current_state: 'IDLE' })
      call(bench, name).code.should.equal(-8)
    })

    it('takes as long to start as the scenario says', () => {
      const bench = sceneBench()
      bench.scenario.module_start = 'refused'
      bench.call(name, 'start').should.deepEqual({ accepted: false, current_state: 'IDLE' })

      Object.assign(bench.scenario, { module_start: 'fatal', module_start_seconds: 2 })
      bench.call(name, 'start').should.deepEqual({ accepted: true, current_state: 'IDLE' })
      bench.clock.advance(2)
      bench.call(name, 'start').should.deepEqual({ accepted: false, current_state: 'FATAL' })
      call(bench, name).code.should.equal(-8)
      bench.call(name, 'stop').should.deepEqual({ accepted: true, current_state: 'IDLE' })

      bench.scenario.module_start = 'ok'
      bench.call(name, 'start')
      bench.clock.advance(1.9)
      call(bench, name).code.should.equal(-8)
      // A second start does not start again.
      bench.call(name, 'start')
      bench.clock.advance(0.2)
      call(bench, name).code.should.equal(0)
    })

    it('finds grasps inside the load carrier, pointing into the items, for any seed', () => {
      for (let seed = 0; seed < 30; seed += 1) {
        const bench = running(name, { seed })
        bench.set(name, { max_grasps: 20 })
        const { code, grasps, load_carriers } = call(bench, name, inBin)
        code.should.equal(0)
        grasps.length.should.be.within(5, 12)
        new Set(grasps.map(({ uuid }) => uuid)).size.should.equal(grasps.length)
        const [carrier] = load_carriers
        for (const grasp of grasps) {
          const { x, y, z } = seenFrom(carrier?.pose ?? identity, grasp.pose.position)
          Math.abs(x).should.be.below(0.28)
          Math.abs(y).should.be.below(0.18)
          z.should.be.within(-0.1, 0.12)
          axisOf(grasp.pose, 'z').z.should.be.above(0.9)
          grasp.quality.should.be.within(0.5, 1)
          grasp.should.containDeep({ type: 'SUCTION', pose_frame: 'camera' })
          grasp.max_suction_surface_length.should.be.aboveOrEqual(grasp.max_suction_surface_width)
        }
      }
    })

    it('gives the same answer for the same seed, with new uuids each time', () => {
      const [bench, twin] = [running(name), running(name)]
      const first = call(bench, name, inBin)
      first.should.deepEqual(call(twin, name, inBin))
      const again = call(bench, name, inBin)
      again.grasps.some(({ uuid }) => first.grasps.some((grasp) => grasp.uuid === uuid)).should.be.false()
    })

    it('returns at most max_grasps, the highest first', () => {
      const bench = running(name)
      bench.scene({ tilt: 0, noise: 0 })
      const depths = call(bench, name).grasps.map(({ pose }) => pose.position.z)
      depths.should.have.length(5)
      depths.should.deepEqual([...depths].sort((one, other) => one - other))
    })

    it('sorts by surface, direction or distance on request', () => {
      const bench = running(name)
      bench.set(name, { max_grasps: 20 })
      const sort = (by: object) => {
        bench.code(name, 'set_sorting_strategies', by as Record<string, unknown>).should.equal(0)
        return call(bench, name).grasps
      }
      const isSorted = (values: number[]) =>
        values.should.deepEqual([...values].sort((one, other) => one - other))
      isSorted(
        sort({ surface_area: { weight: 1 } }).map(
          (grasp) => -grasp.max_suction_surface_length * grasp.max_suction_surface_width,
        ),
      )
      const direction = { vector: { x: 1, y: 0, z: 0 }, pose_frame: 'camera', weight: 1 }
      isSorted(sort({ direction }).map(({ pose }) => -pose.position.x))
      const point = { x: 0.3, y: 0.2, z: 1 }
      const to = { point, pose_frame: 'camera', weight: 1 }
      isSorted(sort({ distance_to_point: to }).map(({ pose }) => distance(pose.position, point)))
      isSorted(
        sort({ distance_to_point: { ...to, farthest_first: true } }).map(
          ({ pose }) => -distance(pose.position, point),
        ),
      )
    })

    it('finds no load carrier, an empty one, nothing in it: 100, 102, 101', () => {
      const bench = running(name)
      bench.scene({ load_carrier: false })
      call(bench, name, inBin).should.containDeep({ code: 100, grasps: [], load_carriers: [] })
      bench.scene({ items: 0 })
      const empty = call(bench, name, inBin)
      empty.code.should.equal(102)
      empty.load_carriers.should.have.length(1)
      call(bench, name).code.should.equal(101)
      bench.scene({})
      call(bench, name, { ...inBin, suction_surface_length: 0.5 }).code.should.equal(101)
    })

    it('searches only regions and compartments', () => {
      const bench = running(name)
      const all = call(bench, name, inBin)
      const [first] = all.grasps
      bench.region('first', first?.pose.position ?? identity.position, 0.05)
      call(bench, name, { region_of_interest_id: 'first' }).grasps.should.have.length(1)
      const compartment = (x: number) => ({
        ...inBin,
        load_carrier_compartment: {
          box: { x: 0.28, y: 0.36, z: 0.4 },
          pose: { ...identity, position: { x, y: 0, z: 0 } },
        },
      })
      bench.set(name, { max_grasps: 20 })
      const count = (x: number) => call(bench, name, compartment(x)).grasps.length
      ;(count(0.14) + count(-0.14)).should.equal(call(bench, name, inBin).grasps.length)
      call(bench, name, { ...compartment(0), load_carrier_id: '' }).code.should.equal(-1)
    })

    it('omits grasps that the gripper cannot reach, and says 103 if none is left', () => {
      const bench = running(name)
      const collision_detection = { gripper_id: 'cup', pre_grasp_offset: { x: 0, y: 0, z: -0.1 } }
      const slim = call(bench, name, { ...inBin, collision_detection })
      slim.code.should.equal(0)
      bench.call('gripper_db', 'set_gripper', gripper(0.5))
      call(bench, name, { ...inBin, collision_detection }).should.containDeep({ code: 103, grasps: [] })
      call(bench, name, { collision_detection }).code.should.equal(0)
      call(bench, name, { collision_detection: { gripper_id: 'claw' } }).code.should.equal(-1)
    })

    it('filters by the preferred orientation', () => {
      const bench = running(name)
      const orientation = { w: Math.SQRT1_2, x: Math.SQRT1_2, y: 0, z: 0 }
      bench.code(name, 'set_preferred_orientation', { orientation, pose_frame: 'camera' }).should.equal(0)
      bench.call(name, 'get_preferred_orientation').should.containDeep({ orientation, pose_frame: 'camera' })
      call(bench, name).code.should.equal(101)
      bench.set(name, { grasp_filter_orientation_threshold: 0 })
      call(bench, name).code.should.equal(0)
    })

    it('rotates grasps about their axis if allowed', () => {
      const bench = running(name)
      bench.set(name, { allow_any_grasp_z_rotation: true })
      for (const { pose } of call(bench, name).grasps) axisOf(pose, 'x').x.should.be.above(0.99)
    })

    it('keeps orientation and strategies across a restart; reset_defaults resets the strategies', () => {
      const bench = sceneBench()
      const orientation = { w: 0, x: 1, y: 0, z: 0 }
      bench.call(name, 'set_preferred_orientation', { orientation, pose_frame: 'external' })
      bench.call(name, 'set_sorting_strategies', { gravity: { weight: 0.5 } })
      const after = sceneBench()
      after.restoreFrom(bench)
      after
        .call(name, 'get_preferred_orientation')
        .should.containDeep({ orientation, pose_frame: 'external' })
      after.call(name, 'get_sorting_strategies').should.containDeep({
        gravity: { weight: 0.5 },
        surface_area: { weight: 0 },
      })
      after.module(name).reset?.()
      after.call(name, 'get_sorting_strategies').should.containDeep({ gravity: { weight: 0 } })
      after.call(name, 'get_preferred_orientation').should.containDeep({ orientation })
    })

    for (const [what, service, args] of [
      ['two weights', 'set_sorting_strategies', { gravity: { weight: 1 }, surface_area: { weight: 1 } }],
      ['a negative weight', 'set_sorting_strategies', { gravity: { weight: -1 } }],
      [
        'a direction without a vector',
        'set_sorting_strategies',
        { direction: { weight: 1, pose_frame: 'camera' } },
      ],
      ['a point in no frame', 'set_sorting_strategies', { distance_to_point: { weight: 1 } }],
      [
        'a frame that there is not',
        'set_preferred_orientation',
        { orientation: { w: 1 }, pose_frame: 'robot' },
      ],
      [
        'an orientation that is none',
        'set_preferred_orientation',
        { orientation: { w: 3 }, pose_frame: 'camera' },
      ],
    ] as const)
      it(`answers -1 for ${what}`, () => {
        sceneBench().code(name, service, args).should.equal(-1)
      })

    it('answers -301 for two item models, and -1 for wrong ones', () => {
      const bench = running(name)
      call(bench, name, { item_models: [anyBox, anyBox] }).code.should.equal(-301)
      call(bench, name, { item_models: [{ type: 'SPHERE' }] }).code.should.equal(-1)
      call(bench, name, { suction_surface_width: 0 }).code.should.equal(-1)
      call(bench, name, { load_carrier_id: 'crate' }).code.should.equal(-1)
      call(bench, name, { region_of_interest_id: 'nowhere' }).code.should.equal(-1)
    })

    it('reports the durations of the last call', () => {
      const bench = running(name)
      call(bench, name, inBin)
      const status = bench.status(name)
      status.should.containDeep({ state: 'RUNNING', last_timestamp_processed: bench.clock.now() })
      for (const step of ['data_acquisition_time', 'grasp_computation_time', 'load_carrier_detection_time'])
        status[step]?.should.be.above(0.05)
      Number(status.processing_time).should.be.above(
        Number(status.grasp_computation_time) + Number(status.load_carrier_detection_time),
      )
    })
  })
