import 'should'
import { composed, distance, inverted, type Pose, ofRotationVector } from '../../../lib/robotics/pose'
import { sceneBench, type Placed } from './scene-bench'

const camera: Pose = {
  position: { x: 0.1, y: 0.2, z: 1.5 },
  orientation: ofRotationVector({ x: 3, y: 0.1, z: 0 }),
}
const robot: Pose = {
  position: { x: 0.5, y: -0.2, z: 0.7 },
  orientation: ofRotationVector({ x: 0.2, y: 1, z: 0 }),
}

describe('the frame of a detection', () => {
  const detect = (bench: ReturnType<typeof sceneBench>, args: object) =>
    bench.call('april_tag_detect', 'detect', { tags: [{ id: '36h11_0' }], ...args })
  const poseIn = (bench: ReturnType<typeof sceneBench>, args: object) => {
    const [tag] = detect(bench, args).tags as Placed[]
    if (!tag) throw new Error('no tag')
    return tag
  }
  const benchWith = (robotMounted?: boolean) => {
    const bench = sceneBench()
    bench.scene({ noise: 0 })
    bench.call('april_tag_detect', 'start')
    if (robotMounted !== undefined) bench.handEye(robotMounted, camera)
    return bench
  }

  it('is repeated with every pose', () => {
    poseIn(benchWith(false), { pose_frame: 'external' }).pose_frame.should.equal('external')
    poseIn(benchWith(false), { pose_frame: 'camera' }).pose_frame.should.equal('camera')
  })

  it('is reached with the hand-eye calibration of a fixed camera', () => {
    const bench = benchWith(false)
    const inCamera = poseIn(bench, { pose_frame: 'camera' })
    const outside = poseIn(bench, { pose_frame: 'external' })
    distance(outside.pose.position, composed(camera, inCamera.pose).position).should.be.below(1e-9)
  })

  it('is reached with the pose of the robot that carries the camera', () => {
    const bench = benchWith(true)
    const inCamera = poseIn(bench, { pose_frame: 'camera' })
    const outside = poseIn(bench, { pose_frame: 'external', robot_pose: robot })
    const back = composed(inverted(composed(robot, camera)), outside.pose)
    distance(back.position, inCamera.pose.position).should.be.below(1e-9)
  })

  it('requires the pose of the robot that carries the camera', () => {
    const { value, message } = detect(benchWith(true), { pose_frame: 'external' }).return_code
    value.should.equal(-1)
    message.should.match(/robot_pose/)
  })

  it('cannot be external without a hand-eye calibration', () => {
    const { value, message } = detect(benchWith(), { pose_frame: 'external', robot_pose: robot }).return_code
    value.should.equal(-1)
    message.should.match(/hand-eye/)
  })

  it('needs no robot pose in this case, which remark 300 says', () => {
    for (const bench of [benchWith(), benchWith(true), benchWith(false)])
      detect(bench, { pose_frame: 'camera', robot_pose: robot }).return_code.value.should.equal(300)
    detect(benchWith(false), { pose_frame: 'external', robot_pose: robot }).return_code.value.should.equal(
      300,
    )
    detect(benchWith(true), { pose_frame: 'external', robot_pose: robot }).return_code.value.should.equal(0)
  })

  it('treats a robot pose of zeros as missing, which matters only if one is needed', () => {
    const zero = { position: { x: 0, y: 0, z: 0 }, orientation: { w: 0, x: 0, y: 0, z: 0 } }
    const code = (bench: ReturnType<typeof sceneBench>, pose_frame: string) =>
      detect(bench, { pose_frame, robot_pose: zero }).return_code
    for (const bench of [benchWith(), benchWith(true), benchWith(false)])
      code(bench, 'camera').value.should.equal(0)
    code(benchWith(false), 'external').value.should.equal(0)
    code(benchWith(true), 'external').should.match({ value: -1, message: /robot_pose/ })
  })

  it('is one of two', () => {
    detect(benchWith(), { pose_frame: 'robot' }).return_code.value.should.equal(-1)
  })

  it("accepts a robot's rounded quaternions, but no other", () => {
    const bench = benchWith(true)
    const rounded = { ...robot, orientation: { w: 0.707, x: 0, y: 0.707, z: 0 } }
    detect(bench, { pose_frame: 'external', robot_pose: rounded }).return_code.value.should.equal(0)
    const none = { ...robot, orientation: { w: 2, x: 0, y: 0, z: 0 } }
    detect(bench, { pose_frame: 'external', robot_pose: none }).return_code.value.should.equal(-1)
  })

  it('is needed by a region in the external frame too', () => {
    const bench = benchWith(true)
    const pose = { position: { x: 0, y: 0, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
    const box = { x: 9, y: 9, z: 9 }
    const region_of_interest = { id: 'cell', type: 'BOX', box, pose, pose_frame: 'external' }
    bench.call('roi_db', 'set_region_of_interest', { region_of_interest })
    const args = { load_carrier_ids: ['bin'], pose_frame: 'camera', region_of_interest_id: 'cell' }
    bench.code('load_carrier', 'detect_load_carriers', args).should.equal(-1)
    bench.code('load_carrier', 'detect_load_carriers', { ...args, robot_pose: robot }).should.equal(0)
  })
})

describe('the images of a detection', () => {
  const args = { pose_frame: 'camera', load_carrier_ids: ['bin'] }
  const detect = (bench: ReturnType<typeof sceneBench>) =>
    bench.code('load_carrier', 'detect_load_carriers', args)

  it('are taken at the time of the call', () => {
    const bench = sceneBench()
    bench.clock.advance(12.25)
    const { timestamp } = bench.call('load_carrier', 'detect_load_carriers', args)
    timestamp?.should.deepEqual({ sec: 1_700_000_012, nsec: 250_000_000 })
    bench.status('load_carrier').last_timestamp_processed?.should.equal(bench.clock.now())
  })

  for (const node of ['camera', 'stereomatching'])
    it(`are missing if ${node} is stale`, () => {
      const bench = sceneBench()
      bench.scenario.stale_nodes = [node]
      detect(bench).should.equal(-11)
      bench.scenario.stale_nodes = []
      detect(bench).should.equal(0)
    })

  it('are missing if the camera waits for a signal', () => {
    const bench = sceneBench({ variant: 'multi' })
    bench.set('camera', { acquisition_mode: 'Trigger', trigger_source: 'In1' })
    detect(bench).should.equal(-4)
    bench.set('camera', { trigger_source: 'Software' })
    detect(bench).should.equal(0)
    bench.status('camera').last_timestamp_grabbed?.should.equal(bench.clock.now())
  })

  it('take as long as the depth images of the pipeline', () => {
    const bench = sceneBench()
    detect(bench).should.equal(0)
    const slow = Number(bench.status('load_carrier').data_acquisition_time)
    bench.set('stereomatching', { quality: 'Low' })
    detect(bench).should.equal(0)
    Number(bench.status('load_carrier').data_acquisition_time).should.be.below(slow / 2)
  })

  for (const kind of ['stereo_b', 'stereo_c', 'time_of_flight', 'structured_light'])
    it(`are also taken by a sensor of kind ${kind}`, () => {
      const bench = sceneBench({ variant: 'multi', kind })
      bench.scene({ noise: 0 })
      detect(bench).should.equal(0)
      bench.code('april_tag_detect', 'detect', {}).should.equal(201)
      bench.code('measure', 'measure_depth', { pose_frame: 'camera' }).should.equal(0)
    })
})
