import should from 'should'
import { composed, distance, type Pose, type Vector } from '../../../lib/robotics/pose'
import { degrees, ofRotationVector } from '../../../lib/robotics/quaternion'
import { angleBetween, axisOf } from '../../../virtual-device/detection/vectors'
import { gripper, identity, sceneBench, type Placed } from '../detection/scene-bench'

interface Grasp extends Placed {
  id: string
  instance_uuid: string
  gripper_id: string
  priority: number
  collision_checked: boolean
}
interface Instance extends Placed {
  id: string
  object_id: string
  grasp_uuids: string[]
}
interface Plane {
  normal: Vector
  distance: number
  pose_frame: string
}
type Bench = ReturnType<typeof sceneBench>

const node = 'silhouettematch'
const detect = (bench: Bench, args: object = {}) => {
  const { return_code, grasps, instances, load_carriers, object_id } = bench.call(node, 'detect_object', {
    pose_frame: 'camera',
    object_to_detect: { object_id: 'part' },
    object_plane_detection: true,
    ...args,
  })
  const { value: code, message } = return_code
  return {
    code,
    message,
    grasps: grasps as Grasp[],
    instances: instances as Instance[],
    load_carriers,
    object_id,
  }
}
const calibrate = (bench: Bench, args: object = {}) => {
  const { return_code, plane } = bench.call(node, 'calibrate_base_plane', {
    pose_frame: 'camera',
    plane_estimation_method: 'STEREO',
    ...args,
  })
  return { code: return_code.value, plane: plane as Plane }
}
const withTemplate = (options: Parameters<typeof sceneBench>[0] = {}) => {
  const bench = sceneBench(options)
  bench.store(node, 'part', 'other')
  return bench
}
const grasp = (id: string, more: object = {}) => ({
  id,
  template_id: 'part',
  pose: top,
  priority: 0,
  ...more,
})
/** Into the object, from above. */
const top: Pose = {
  position: { x: 0, y: 0, z: 0 },
  orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
}
const setGrasp = (bench: Bench, given: object) => bench.code(node, 'set_grasp', { grasp: given })

describe('silhouettematch', () => {
  it('knows no template that was not uploaded', () => {
    detect(sceneBench()).should.containDeep({ code: -1, grasps: [], instances: [], object_id: '' })
    detect(withTemplate()).code.should.equal(0)
  })

  it('finds objects in the load carrier, with uuids of their own', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const { code, instances, load_carriers, object_id } = detect(withTemplate({ seed }), {
        load_carrier_id: 'bin',
      })
      code.should.equal(0)
      instances.length.should.be.within(3, 5)
      should(load_carriers).have.length(1)
      should(object_id).equal('part')
      new Set(instances.map(({ uuid }) => uuid)).size.should.equal(instances.length)
      for (const instance of instances)
        instance.should.containDeep({ object_id: 'part', pose_frame: 'camera' })
    }
  })

  it('finds fewer objects when more of them has to match, or fewer are wanted', () => {
    const bench = withTemplate()
    bench.set(node, { match_percentile: 1 })
    detect(bench).should.containDeep({ code: 101, instances: [] })
    bench.set(node, { match_percentile: 0.8, max_number_of_detected_objects: 2 })
    detect(bench).instances.should.have.length(2)
  })

  it('looks into a region of the image', () => {
    const bench = withTemplate()
    bench.scene({ noise: 0 })
    const [first] = detect(bench).instances
    const { x, y, z } = first?.pose.position ?? identity.position
    const focal = 0.844893 * 1280
    const region = {
      id: 'first',
      offset_x: Math.round(640 + (focal * x) / z - 40),
      offset_y: Math.round(480 + (focal * y) / z - 40),
      width: 80,
      height: 80,
    }
    bench.call('roi_db', 'set_region_of_interest_2d', { region_of_interest_2d: region })
    const object_to_detect = { object_id: 'part', region_of_interest_2d_id: 'first' }
    detect(bench, { object_to_detect }).instances.should.have.length(1)
  })

  it('needs a base plane unless it finds the plane of the objects itself', () => {
    const bench = withTemplate()
    detect(bench, { object_plane_detection: false }).code.should.equal(-8)
    calibrate(bench).code.should.equal(0)
    detect(bench, { object_plane_detection: false }).code.should.equal(0)
    bench.code(node, 'delete_base_plane_calibration').should.equal(0)
    detect(bench, { object_plane_detection: false }).code.should.equal(-8)
  })

  it('says no load carrier and an empty one: 100, 102', () => {
    const bench = withTemplate()
    bench.scene({ load_carrier: false })
    detect(bench, { load_carrier_id: 'bin' }).code.should.equal(100)
    bench.scene({ items: 0 })
    detect(bench, { load_carrier_id: 'bin' }).code.should.equal(102)
  })

  describe('base plane', () => {
    it('is that of the floor, of the rim, or as it is given', () => {
      const bench = withTemplate()
      bench.scene({ noise: 0 })
      const floor = calibrate(bench).plane
      floor.normal.z.should.be.above(0.99)
      floor.distance.should.be.approximately(1.2, 0.01)
      const closest = calibrate(bench, { stereo: { plane_preference: 'CLOSEST' } }).plane
      closest.distance.should.be.approximately(floor.distance - 0.2, 1e-6)
      const byTags = calibrate(bench, { plane_estimation_method: 'APRILTAG' }).plane
      byTags.should.deepEqual(floor)
      const plane = { normal: { x: 0, y: 0, z: 1 }, distance: 0.9 }
      const given = calibrate(bench, { plane_estimation_method: 'MANUAL', plane, offset: 0.1 }).plane
      given.distance.should.be.approximately(0.8, 1e-9)
      bench.call(node, 'get_base_plane_calibration', { pose_frame: 'camera' }).plane?.should.deepEqual(given)
    })

    it('is in the external frame what it is there', () => {
      const bench = withTemplate()
      bench.scene({ noise: 0 })
      const camera = {
        position: { x: 0.3, y: 0.1, z: 1.2 },
        orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
      }
      bench.handEye(false, camera)
      calibrate(bench, { pose_frame: 'external' })
      const get = (pose_frame: string) =>
        bench.call(node, 'get_base_plane_calibration', { pose_frame }).plane as Plane
      get('external').normal.z.should.be.below(-0.99)
      get('camera').distance.should.be.approximately(calibrate(bench).plane.distance, 1e-9)
    })

    it('is not found, or too much tilted: -101, -104', () => {
      const bench = withTemplate()
      bench.scene({ april_tags: [{ id: '36h11_0' }] })
      calibrate(bench, { plane_estimation_method: 'APRILTAG' }).code.should.equal(-101)
      bench.set('stereomatching', { maxdepth: 0.5 })
      calibrate(bench).code.should.equal(-101)
      bench.set('stereomatching', { maxdepth: 100 })
      bench.scene({ tilt: 11 })
      calibrate(bench).code.should.equal(-104)
    })

    it('does not outlive the hand-eye calibration that it stands on: -102', () => {
      const bench = withTemplate()
      bench.handEye(false)
      calibrate(bench, { pose_frame: 'external' }).code.should.equal(0)
      detect(bench, { object_plane_detection: false }).code.should.equal(0)
      bench.handEye(false, { ...identity, position: { x: 1, y: 0, z: 0 } })
      detect(bench, { object_plane_detection: false }).code.should.equal(-102)
    })

    it('is not moved with a robot whose pose is not given: 107', () => {
      const bench = withTemplate()
      bench.handEye(true)
      calibrate(bench, { pose_frame: 'external', robot_pose: identity }).code.should.equal(0)
      detect(bench, { object_plane_detection: false }).code.should.equal(107)
      detect(bench, { object_plane_detection: false, robot_pose: identity }).code.should.equal(0)
    })

    for (const [name, args] of Object.entries({
      'an unknown method': { plane_estimation_method: 'MAGIC' },
      'an unknown preference': { stereo: { plane_preference: 'MIDDLE' } },
      'a plane without a distance': {
        plane_estimation_method: 'MANUAL',
        plane: { normal: { x: 0, y: 0, z: 1 } },
      },
      'a normal that is none': {
        plane_estimation_method: 'MANUAL',
        plane: { normal: { z: 2 }, distance: 1 },
      },
    }))
      it(`answers -1 for ${name}`, () => {
        calibrate(withTemplate(), args).code.should.equal(-1)
      })
  })

  describe('grasps', () => {
    it('are kept by template, up to 50 each', () => {
      const bench = withTemplate()
      for (let index = 1; index < 50; index += 1) setGrasp(bench, grasp(`g${index}`)).should.equal(0)
      setGrasp(bench, grasp('last')).should.equal(10)
      setGrasp(bench, grasp('more')).should.equal(-10)
      setGrasp(bench, grasp('g1')).should.equal(10)
      setGrasp(bench, grasp('g1', { template_id: 'other' })).should.equal(0)
      setGrasp(bench, grasp('g1', { template_id: 'other' })).should.equal(11)
      const get = (args: object = {}) =>
        bench.call(node, 'get_grasps', args as Record<string, unknown>).grasps as object[]
      get().should.have.length(51)
      get({ grasp_ids: ['g1'] }).should.have.length(2)
      get({ grasp_ids: ['g1'], template_ids: ['other'] }).should.have.length(1)
      bench.code(node, 'delete_grasps', { grasp_ids: [], template_ids: [] }).should.equal(-1)
      bench.code(node, 'delete_grasps', { grasp_ids: ['g1'], template_ids: ['part'] }).should.equal(0)
      get().should.have.length(50)
      bench.code(node, 'delete_grasps', { template_ids: ['part'] }).should.equal(0)
      get().should.have.length(1)
    })

    it('are replaced all at once, or not at all', () => {
      const bench = withTemplate()
      const replace = (grasps: object[], template_id = 'part') =>
        bench.code(node, 'set_all_grasps', { grasps, template_id })
      setGrasp(bench, grasp('old'))
      replace([grasp('a'), grasp('b', { template_id: '' })]).should.equal(0)
      const stored = () => (bench.call(node, 'get_grasps').grasps as Grasp[]).map(({ id }) => id)
      stored().should.deepEqual(['a', 'b'])
      replace([grasp('c'), grasp('c')]).should.equal(-1)
      replace([grasp('c'), grasp('')]).should.equal(-1)
      replace(Array.from({ length: 51 }, (_, index) => grasp(`g${index}`))).should.equal(-10)
      replace([], 'nothing').should.equal(-1)
      stored().should.deepEqual(['a', 'b'])
    })

    it('go with their template, and survive a restart', () => {
      const bench = withTemplate()
      setGrasp(bench, grasp('a', { gripper_id: 'cup' }))
      const after = withTemplate()
      after.restoreFrom(bench)
      should(after.call(node, 'get_grasps').grasps).deepEqual(bench.call(node, 'get_grasps').grasps)
      after.store(node, 'other')
      should(after.call(node, 'get_grasps').grasps).deepEqual([])
    })

    for (const [name, wrong] of Object.entries({
      'no id': { id: '' },
      'an unknown template': { template_id: 'nothing' },
      'a priority of 3': { priority: 3 },
      'a turn beyond half': { replication: { min_x_deg: -181, max_x_deg: 0, step_x_deg: 10 } },
      'no step': { replication: { min_x_deg: -10, max_x_deg: 10 } },
      'an orientation that is none': { pose: { ...identity, orientation: { w: 2, x: 0, y: 0, z: 0 } } },
    }))
      it(`with ${name} are refused`, () => {
        setGrasp(withTemplate(), { ...grasp('a'), ...wrong }).should.equal(-1)
      })

    it('are found on every object, the most important first', () => {
      const bench = withTemplate()
      bench.scene({ noise: 0 })
      const beside = { ...top, position: { x: 0.02, y: 0, z: 0 } }
      setGrasp(bench, grasp('top'))
      setGrasp(bench, grasp('beside', { pose: beside, priority: 2, gripper_id: 'cup' }))
      const { code, grasps, instances } = detect(bench)
      code.should.equal(0)
      grasps.should.have.length(2 * instances.length)
      for (const [index, each] of grasps.entries()) {
        each.priority.should.equal(index < instances.length ? 2 : 0)
        each.collision_checked.should.be.false()
        const instance = instances.find(({ uuid }) => uuid === each.instance_uuid)
        should(instance?.grasp_uuids).containEql(each.uuid)
        const wanted = composed(instance?.pose ?? identity, each.id === 'top' ? top : beside)
        distance(each.pose.position, wanted.position).should.be.below(1e-9)
        each.gripper_id.should.equal(each.id === 'top' ? '' : 'cup')
      }
      bench.set(node, { only_highest_priority_grasps: true })
      detect(bench).grasps.should.have.length(instances.length)
    })

    it('are turned about their origin as often as they say', () => {
      const bench = withTemplate()
      bench.set(node, { max_number_of_detected_objects: 1 })
      setGrasp(bench, grasp('top', { replication: { min_x_deg: -30, max_x_deg: 60, step_x_deg: 30 } }))
      const { grasps, instances } = detect(bench)
      const angles = grasps.map(({ pose }) =>
        degrees(angleBetween(axisOf(pose, 'z'), axisOf(instances[0]?.pose ?? identity, 'z'))),
      )
      angles.map(Math.round).should.deepEqual([150, 180, 150, 120])
    })

    it('are trimmed to a hundred', () => {
      const bench = withTemplate()
      setGrasp(bench, grasp('top', { replication: { min_x_deg: -180, max_x_deg: 180, step_x_deg: 1 } }))
      detect(bench).grasps.should.have.length(100)
    })

    it('are checked for collisions with the load carrier', () => {
      const bench = withTemplate()
      setGrasp(bench, grasp('top'))
      bench.set(node, { check_collisions: true })
      detect(bench, { load_carrier_id: 'bin' }).code.should.equal(113)
      const collision_detection = { gripper_id: 'cup' }
      const slim = detect(bench, { load_carrier_id: 'bin', collision_detection })
      slim.code.should.equal(0)
      slim.grasps
        .every(({ collision_checked, gripper_id }) => collision_checked && gripper_id === 'cup')
        .should.be.true()
      bench.call('gripper_db', 'set_gripper', gripper(0.5))
      detect(bench, { load_carrier_id: 'bin', collision_detection }).should.containDeep({
        code: 103,
        grasps: [],
      })
      detect(bench, { collision_detection }).code.should.equal(0)
      detect(bench, { collision_detection: { gripper_id: 'claw' } }).code.should.equal(-1)
      bench.set(node, { check_collisions_during_retraction: true })
      detect(bench, { collision_detection }).code.should.equal(114)
    })

    it('have no symmetric copies here', () => {
      const bench = withTemplate()
      const symmetric = (template_id: string) =>
        bench.call(node, 'get_symmetric_grasps', { grasp: { pose: top, template_id } })
      should(symmetric('part').grasps).have.length(1)
      symmetric('nothing').return_code.value.should.equal(-1)
    })
  })

  it('keeps its base plane over a restart, and reset_defaults does not touch it', () => {
    const bench = withTemplate()
    const { plane } = calibrate(bench)
    bench.call(node, 'set_preferred_orientation', {
      orientation: { w: 0, x: 1, y: 0, z: 0 },
      pose_frame: 'camera',
    })
    const after = withTemplate()
    after.restoreFrom(bench)
    after.module(node).reset?.()
    should(after.call(node, 'get_base_plane_calibration', { pose_frame: 'camera' }).plane).deepEqual(plane)
    after.call(node, 'get_preferred_orientation').should.containDeep({ orientation: identity.orientation })
  })
})
