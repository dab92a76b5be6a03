import 'should'
import { moduleBench } from '../../support/module-bench'

type Bench = ReturnType<typeof moduleBench>
const call = (bench: Bench, service: string) => {
  const { accepted, current_state } = bench.call('dynamics', service)
  return [accepted, current_state]
}
/** The sequence of states within five seconds. */
const states = (bench: Bench) => {
  const seen = [bench.state('dynamics')]
  for (let tick = 0; tick < 500; tick += 1) {
    bench.clock.advance(0.01)
    const state = bench.state('dynamics')
    if (state !== seen.at(-1)) seen.push(state)
  }
  return seen
}
const starting = ['WAITING_FOR_INS', 'RUNNING']
const startingSlam = ['WAITING_FOR_INS_AND_SLAM', 'WAITING_FOR_SLAM', 'RUNNING_WITH_SLAM']
const stopping = ['STOPPING', 'IDLE']

describe('dynamics', () => {
  const from = {
    IDLE: [],
    RUNNING: ['start'],
    RUNNING_WITH_SLAM: ['start_slam'],
    STOPPING: ['stop'],
  } as const
  const moves: [keyof typeof from, string, boolean, string[]][] = [
    ['IDLE', 'start', true, starting],
    ['IDLE', 'start_slam', true, startingSlam],
    ['IDLE', 'stop', true, ['IDLE']],
    ['IDLE', 'stop_slam', false, ['IDLE']],
    ['IDLE', 'restart', true, starting],
    ['IDLE', 'restart_slam', true, startingSlam],
    ['RUNNING', 'start', false, ['RUNNING']],
    ['RUNNING', 'start_slam', true, ['WAITING_FOR_SLAM', 'RUNNING_WITH_SLAM']],
    ['RUNNING', 'stop', true, stopping],
    ['RUNNING', 'stop_slam', false, ['RUNNING']],
    ['RUNNING', 'restart', true, ['STOPPING', ...starting]],
    ['RUNNING', 'restart_slam', true, ['STOPPING', ...startingSlam]],
    ['STOPPING', 'start', true, ['STOPPING', ...starting]],
    ['STOPPING', 'start_slam', true, ['STOPPING', ...startingSlam]],
    ['STOPPING', 'stop', true, stopping],
    ['STOPPING', 'restart', true, ['STOPPING', ...starting]],
    ['RUNNING_WITH_SLAM', 'start', false, ['RUNNING_WITH_SLAM']],
    ['RUNNING_WITH_SLAM', 'start_slam', false, ['RUNNING_WITH_SLAM']],
    ['RUNNING_WITH_SLAM', 'stop', true, stopping],
    ['RUNNING_WITH_SLAM', 'stop_slam', true, ['RUNNING']],
    ['RUNNING_WITH_SLAM', 'restart', true, ['STOPPING', ...starting]],
    ['RUNNING_WITH_SLAM', 'restart_slam', true, ['STOPPING', ...startingSlam]],
  ]
  for (const [state, service, accepted, passed] of moves)
    it(`${accepted ? 'accepts' : 'refuses'} ${service} in ${state} and passes through ${passed.join(', ')}`, () => {
      const bench = moduleBench()
      if (state === 'STOPPING') {
        call(bench, 'start')
        bench.clock.advance(5)
      }
      for (const before of from[state]) call(bench, before)
      bench.clock.advance(state === 'STOPPING' ? 0.1 : 5)
      bench.state('dynamics')?.should.equal(state)
      call(bench, service).should.deepEqual([accepted, passed[0]])
      states(bench).should.deepEqual(passed)
    })

  it('stops no slower if told to stop again, or to start, meanwhile', () => {
    const bench = moduleBench()
    call(bench, 'start')
    bench.clock.advance(5)
    call(bench, 'stop')
    bench.clock.advance(0.15)
    for (const service of ['stop', 'start', 'start']) call(bench, service)[0]?.should.equal(true)
    bench.clock.advance(0.1)
    bench.state('dynamics')?.should.equal('WAITING_FOR_INS')
  })

  it('can be stopped while it starts', () => {
    const bench = moduleBench()
    call(bench, 'start')
    call(bench, 'start').should.deepEqual([false, 'WAITING_FOR_INS'])
    call(bench, 'stop').should.deepEqual([true, 'STOPPING'])
    states(bench).should.deepEqual(stopping)
  })

  it('requires the slam license for the services of SLAM', () => {
    const { services } = moduleBench().module('dynamics')
    Object.keys(services)
      .filter((name) => services[name]?.license === 'slam')
      .should.deepEqual(['start_slam', 'stop_slam', 'restart_slam'])
  })

  it('reports the pose of the camera on the inertial sensor', () => {
    const bench = moduleBench()
    bench.call('dynamics', 'get_cam2imu_transform').should.containDeep({
      name: 'camera',
      parent: 'imu',
      pose: { timestamp: { sec: 1_700_000_000, nsec: 0 } },
    })
  })
})

describe('stereo_ins', () => {
  it('runs while dynamics does', () => {
    const bench = moduleBench()
    bench.state('stereo_ins')?.should.equal('IDLE')
    call(bench, 'start')
    bench.status('stereo_ins').should.deepEqual({ freq: 0, state: 'INITIALIZING' })
    bench.clock.advance(2)
    bench.state('stereo_ins')?.should.equal('RUNNING')
    Number(bench.status('stereo_ins').freq).should.be.approximately(200, 1)
    call(bench, 'stop')
    bench.state('stereo_ins')?.should.equal('IDLE')
  })
})
