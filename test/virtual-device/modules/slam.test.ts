import 'should'
import { moduleBench } from '../../support/module-bench'

type Bench = ReturnType<typeof moduleBench>
interface Trajectory {
  poses: {
    pose: { position: { x: number; y: number; z: number } }
    timestamp: { sec: number; nsec: number }
  }[]
}
const start = 1_700_000_000
const trajectory = (bench: Bench, args: object = {}) =>
  bench.call('slam', 'get_trajectory', { ...args }) as unknown as {
    return_code: { value: number }
    trajectory: Trajectory
  }
/** SLAM has been running for this many seconds. It needs 2 s to start. */
const running = (seconds: number) => {
  const bench = moduleBench()
  bench.call('dynamics', 'start_slam')
  bench.clock.advance(2 + seconds)
  return bench
}

describe('slam', () => {
  it('follows the dynamics module, even if nobody reads in between', () => {
    const bench = moduleBench()
    bench.state('slam')?.should.equal('IDLE')
    bench.call('dynamics', 'start_slam')
    bench.state('slam')?.should.equal('WAITING_FOR_DATA')
    bench.clock.advance(3)
    bench.state('slam')?.should.equal('RUNNING')
    bench.call('dynamics', 'stop_slam')
    bench.state('slam')?.should.equal('HALTED')
    bench.call('dynamics', 'stop')
    bench.clock.advance(3600)
    bench.state('slam')?.should.equal('HALTED')
    bench.status('slam').trajectory_poses?.should.equal(11)
  })

  it('has a trajectory of the time in which it ran, and reports if it has none', () => {
    trajectory(moduleBench()).return_code.value.should.equal(102)
    const { return_code, trajectory: whole } = trajectory(running(5))
    return_code.value.should.equal(0)
    whole.should.containDeep({ name: 'camera', parent: 'world', producer: 'slam' })
    whole.poses.length.should.equal(51)
    whole.poses[0]?.timestamp.should.deepEqual({ sec: start + 2, nsec: 0 })
    const { x, y } = whole.poses[50]?.pose.position ?? { x: 0, y: 0 }
    Math.hypot(x, y).should.be.within(0.01, 0.5)
  })

  it('cuts out a period, absolute or relative to start and end', () => {
    const bench = running(10)
    const poses = (args: object) => trajectory(bench, args).trajectory.poses.length
    poses({ start_time: { sec: start + 4, nsec: 0 }, end_time: { sec: start + 5, nsec: 0 } }).should.equal(11)
    poses({ start_time: { sec: -1, nsec: 0 }, start_time_relative: true }).should.equal(11)
    poses({ end_time: { sec: 2, nsec: 0 }, end_time_relative: true }).should.equal(21)
    const code = (args: object) => trajectory(bench, args).return_code.value
    code({ start_time: { sec: start + 5, nsec: 0 }, end_time: { sec: start + 4, nsec: 0 } }).should.equal(-1)
    code({ end_time: { sec: start + 1, nsec: 0 }, start_time: { sec: start, nsec: 1 } }).should.equal(101)
  })

  it('keeps ten minutes', () => {
    const bench = running(86_400)
    bench.status('slam').trajectory_poses?.should.be.approximately(6000, 1)
  })

  it('drops its trajectory on reset', () => {
    const bench = running(5)
    bench.call('dynamics', 'stop')
    bench.call('slam', 'reset').should.containDeep({ accepted: true, current_state: 'RESETTING' })
    bench.clock.advance(1)
    bench.state('slam')?.should.equal('IDLE')
    trajectory(bench).return_code.value.should.equal(102)
  })

  it('stores its map while it has one, and loads it at rest, also after a restart', () => {
    const bench = running(5)
    bench.code('slam', 'load_map').should.equal(-8)
    bench.code('slam', 'save_map').should.equal(0)
    const frames = bench.status('slam').map_frames
    const after = moduleBench()
    after.code('slam', 'save_map').should.equal(-8)
    after.code('slam', 'load_map').should.equal(-7)
    after.restoreFrom(bench)
    after.code('slam', 'load_map').should.equal(0)
    after.status('slam').map_frames?.should.equal(frames)
    after.code('slam', 'remove_map').should.equal(0)
    after.code('slam', 'load_map').should.equal(-7)
  })
})
