import should from 'should'
import { ofRotationVector } from '../../../lib/robotics/pose'
import { identity, sceneBench } from '../detection/scene-bench'
import { calibrate, detect, node, withTemplate, type Plane } from './silhouettematch-bench'

describe('silhouettematch', () => {
  it('has only uploaded templates', () => {
    detect(sceneBench()).should.containDeep({ code: -1, grasps: [], instances: [], object_id: '' })
    detect(withTemplate()).code.should.equal(0)
  })

  it('detects objects in the load carrier, with uuids of their own', () => {
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

  it('detects fewer objects if more of the silhouette must match, or fewer are requested', () => {
    const bench = withTemplate()
    bench.set(node, { match_percentile: 1 })
    detect(bench).should.containDeep({ code: 101, instances: [] })
    bench.set(node, { match_percentile: 0.8, max_number_of_detected_objects: 2 })
    detect(bench).instances.should.have.length(2)
  })

  it('searches a region of the image', () => {
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

  it('requires a base plane unless it detects the plane of the objects itself', () => {
    const bench = withTemplate()
    detect(bench, { object_plane_detection: false }).code.should.equal(-8)
    calibrate(bench).code.should.equal(0)
    detect(bench, { object_plane_detection: false }).code.should.equal(0)
    bench.code(node, 'delete_base_plane_calibration').should.equal(0)
    detect(bench, { object_plane_detection: false }).code.should.equal(-8)
  })

  it('reports no load carrier and an empty one: 100, 102', () => {
    const bench = withTemplate()
    bench.scene({ load_carrier: false })
    detect(bench, { load_carrier_id: 'bin' }).code.should.equal(100)
    bench.scene({ items: 0 })
    detect(bench, { load_carrier_id: 'bin' }).code.should.equal(102)
  })

  describe('base plane', () => {
    it('is that of the floor, of the rim, or as given', () => {
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

    it('is transformed to the external frame', () => {
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

    it('is not found, or tilted too much: -101, -104', () => {
      const bench = withTemplate()
      bench.scene({ april_tags: [{ id: '36h11_0' }] })
      calibrate(bench, { plane_estimation_method: 'APRILTAG' }).code.should.equal(-101)
      bench.set('stereomatching', { maxdepth: 0.5 })
      calibrate(bench).code.should.equal(-101)
      bench.set('stereomatching', { maxdepth: 100 })
      bench.scene({ tilt: 11 })
      calibrate(bench).code.should.equal(-104)
    })

    it('is invalid without its hand-eye calibration: -102', () => {
      const bench = withTemplate()
      bench.handEye(false)
      calibrate(bench, { pose_frame: 'external' }).code.should.equal(0)
      detect(bench, { object_plane_detection: false }).code.should.equal(0)
      bench.handEye(false, { ...identity, position: { x: 1, y: 0, z: 0 } })
      detect(bench, { object_plane_detection: false }).code.should.equal(-102)
    })

    it('cannot be transformed for a robot without a given pose: 107', () => {
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

  it('survives a restart, and reset_defaults', () => {
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
