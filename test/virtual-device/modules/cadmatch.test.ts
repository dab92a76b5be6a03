import should from 'should'
import { distance, type Pose, ofRotationVector } from '../../../lib/robotics/pose'
import { identity, sceneBench, type Placed } from '../detection/scene-bench'

interface Match extends Placed {
  score: number
  template_id: string
  grasp_uuids: string[]
}
type Bench = ReturnType<typeof sceneBench>

const detect = (bench: Bench, args: object = {}) => {
  const { return_code, grasps, matches, ...rest } = bench.call('cadmatch', 'detect_object', {
    pose_frame: 'camera',
    template_id: 'part',
    ...args,
  })
  return { code: return_code.value, grasps: grasps as Placed[], matches: matches as Match[], ...rest }
}
const running = ({ seed = 0, kind = 'stereo_a' } = {}) => {
  const bench = sceneBench({ variant: 'multi', seed, kind })
  bench.store('cadmatch', 'part')
  bench.call('cadmatch', 'start').should.deepEqual({ accepted: true, current_state: 'RUNNING' })
  return bench
}
const top: Pose = {
  position: { x: 0, y: 0, z: 0.03 },
  orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
}

describe('cadmatch', () => {
  it('matches a template that was uploaded while it runs', () => {
    const bench = running()
    detect(bench).code.should.equal(0)
    detect(bench, { template_id: 'other' }).should.containDeep({ code: -1, matches: [] })
    bench.code('cadmatch', 'warmup_template', { template_id: 'part' }).should.equal(0)
    bench.code('cadmatch', 'warmup_template', { template_id: 'other' }).should.equal(-1)
    bench.call('cadmatch', 'stop')
    detect(bench).code.should.equal(-8)
  })

  it('sorts matches by their score, down to the requested minimum', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const bench = running({ seed })
      const scores = detect(bench, { load_carrier_id: 'bin' }).matches.map(({ score }) => score)
      scores.length.should.be.within(3, 5)
      scores.should.deepEqual([...scores].sort((one, other) => other - one))
      bench.set('cadmatch', { min_score: scores[1] ?? 1 })
      detect(bench).matches.should.have.length(2)
      bench.set('cadmatch', { max_matches: 1 })
      detect(bench).matches.should.have.length(1)
      bench.set('cadmatch', { min_score: 1 })
      detect(bench).code.should.equal(101)
    }
  })

  it('says 152 if there are objects outside the search area', () => {
    const bench = running()
    bench.region('empty', { x: 0.6, y: 0.4, z: 1.2 }, 0.1)
    detect(bench, { region_of_interest_id: 'empty' }).code.should.equal(152)
    bench.scene({ items: 0 })
    detect(bench).code.should.equal(101)
    detect(bench, { load_carrier_id: 'bin' }).code.should.equal(102)
    bench.scene({ load_carrier: false })
    detect(bench, { load_carrier_id: 'bin' }).code.should.equal(100)
  })

  it('requires depth images of quality Medium', () => {
    const bench = running()
    bench.set('stereomatching', { quality: 'Low' })
    detect(bench).code.should.equal(-8)
    bench.set('stereomatching', { quality: 'Medium' })
    detect(bench).code.should.equal(0)
    detect(running({ kind: 'structured_light' })).code.should.equal(0)
  })

  it('searches near its pose priors', () => {
    const bench = running()
    const { matches } = detect(bench)
    const pose_prior = { id: 'first', template_id: 'part', pose: matches[0]?.pose, pose_frame: 'camera' }
    bench.code('cadmatch', 'set_pose_prior', { pose_prior }).should.equal(0)
    const near = detect(bench, { pose_prior_ids: ['first'] }).matches
    near.length.should.be.within(1, matches.length - 1)
    for (const { pose } of near)
      distance(pose.position, matches[0]?.pose.position ?? identity.position).should.be.belowOrEqual(0.101)
    detect(bench, { pose_prior_ids: ['second'] }).code.should.equal(-1)
  })

  it('stores pose priors by template', () => {
    const bench = running()
    const prior = (id: string, more: object = {}) => ({
      id,
      template_id: 'part',
      pose: top,
      pose_frame: 'camera',
      ...more,
    })
    const set = (pose_prior: object) => bench.code('cadmatch', 'set_pose_prior', { pose_prior })
    set(prior('a')).should.equal(0)
    set(prior('a')).should.equal(11)
    set(prior('b', { pose_frame: 'robot' })).should.equal(-1)
    set(prior('b', { template_id: 'other' })).should.equal(-1)
    const replace = (count: number) =>
      bench.code('cadmatch', 'set_all_pose_priors', {
        template_id: 'part',
        pose_priors: Array.from({ length: count }, (_, index) => prior(`p${index}`)),
      })
    replace(51).should.equal(-10)
    replace(50).should.equal(0)
    const all = () => bench.call('cadmatch', 'get_pose_priors').pose_priors as object[]
    all().should.have.length(50)
    bench
      .code('cadmatch', 'delete_pose_priors', { pose_prior_ids: ['p0'], template_ids: [] })
      .should.equal(-1)
    bench
      .code('cadmatch', 'delete_pose_priors', { pose_prior_ids: ['p0'], template_ids: ['part'] })
      .should.equal(0)
    all().should.have.length(49)
    const after = running()
    after.restoreFrom(bench)
    should(after.call('cadmatch', 'get_pose_priors').pose_priors).deepEqual(all())
  })

  it('trims grasps to a hundred and says so: 106', () => {
    const bench = running()
    const replication = { min_x_deg: -40, max_x_deg: 40, step_x_deg: 1 }
    bench.call('cadmatch', 'set_grasp', { grasp: { id: 'a', template_id: 'part', pose: top, replication } })
    const { code, grasps } = detect(bench)
    code.should.equal(106)
    grasps.should.have.length(100)
  })

  it('omits grasps that are rotated too far: 101', () => {
    const bench = running()
    const from = (x: number) => ({ ...top, orientation: ofRotationVector({ x, y: 0, z: 0 }) })
    const set = (x: number) =>
      bench.code('cadmatch', 'set_grasp', { grasp: { id: 'a', template_id: 'part', pose: from(x) } })
    set(0)
    detect(bench).should.containDeep({ code: 101, grasps: [] })
    bench.set('cadmatch', { grasp_filter_orientation_threshold: 0 })
    detect(bench).code.should.equal(0)
    bench.set('cadmatch', { grasp_filter_orientation_threshold: 30 })
    set(Math.PI)
    detect(bench).code.should.equal(0)
  })

  it('reports the time of the call, and its durations', () => {
    const bench = running()
    bench.status('cadmatch').should.containDeep({ last_request_timestamp: 0, state: 'RUNNING' })
    detect(bench)
    const status = bench.status('cadmatch')
    status.last_request_timestamp?.should.equal(bench.clock.now())
    status.object_detection_time?.should.be.above(0.3)
    status.processing_time?.should.be.above(0.5)
    status.load_carrier_detection_time?.should.equal(0)
  })

  it('resets the preferred orientation and the sorting with reset_defaults', () => {
    const bench = running()
    bench.call('cadmatch', 'set_sorting_strategies', { match_score: { weight: 1 } })
    bench.call('cadmatch', 'set_preferred_orientation', {
      orientation: { w: 0, x: 1, y: 0, z: 0 },
      pose_frame: 'camera',
    })
    bench.module('cadmatch').reset?.()
    bench.call('cadmatch', 'get_sorting_strategies').should.containDeep({ match_score: { weight: 0 } })
    bench
      .call('cadmatch', 'get_preferred_orientation')
      .should.containDeep({ orientation: identity.orientation })
  })
})
