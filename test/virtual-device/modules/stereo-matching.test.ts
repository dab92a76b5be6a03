import 'should'
import type { ParameterValue } from '../../../virtual-device/module'
import { moduleBench } from '../../support/module-bench'

type Bench = ReturnType<typeof moduleBench>
const trigger = (bench: Bench) => bench.code('stereomatching', 'acquisition_trigger')

/** Seconds during which a second trigger is ignored. */
function busy(bench: Bench): number {
  trigger(bench).should.equal(0)
  const from = bench.clock.now()
  while (trigger(bench) === 101) bench.clock.advance(0.001)
  return bench.clock.now() - from
}

const single = (written: Record<string, ParameterValue> = {}, variant: 'single' | 'multi' = 'single') => {
  const bench = moduleBench(variant)
  bench.set('stereomatching', { acquisition_mode: 'SingleFrame', ...written })
  return bench
}

describe('stereomatching', () => {
  it('refuses triggers in mode Continuous', () => {
    trigger(moduleBench()).should.equal(-8)
  })

  it('ignores triggers if nobody receives the image', () => {
    const bench = single()
    bench.scenario.image_client = false
    trigger(bench).should.equal(102)
    bench.scenario.image_client = true
    trigger(bench).should.equal(0)
  })

  for (const [quality, seconds] of Object.entries({ Low: 0.04, Medium: 1 / 15, High: 1 / 3, Full: 1 }))
    it(`needs ${seconds.toFixed(3)} s for quality ${quality}`, () => {
      busy(single({ quality })).should.be.approximately(seconds, 0.002)
    })

  it('is never faster than the camera', () => {
    const bench = single({ quality: 'Low' })
    bench.set('camera', { fps: 4 })
    busy(bench).should.be.approximately(0.25, 0.002)
  })

  it('collects eight frames of a static scene, only in High and Full', () => {
    busy(single({ static_scene: true })).should.be.approximately(1 / 3 + 0.32, 0.002)
    busy(single({ static_scene: true, quality: 'Full' })).should.be.approximately(1.32, 0.002)
    busy(single({ static_scene: true, quality: 'Medium' })).should.be.approximately(1 / 15, 0.002)
    const slow = single({ static_scene: true })
    slow.set('camera', { fps: 10 })
    busy(slow).should.be.approximately(1 / 3 + 0.8, 0.002)
  })

  it('waits for the automatic exposure, but not for a manual one', () => {
    const bench = single({ exposure_adapt_timeout: 2 })
    busy(bench).should.be.approximately(1 / 3 + 1, 0.002)
    bench.clock.advance(10)
    bench.set('camera', { exp_control: 'Manual' })
    busy(bench).should.be.approximately(1 / 3, 0.002)
  })

  it('takes twice as long with two shots, and a little less with a larger mindepth', () => {
    busy(single({ double_shot: true })).should.be.approximately(2 / 3, 0.002)
    busy(single({ mindepth: 1 })).should.be.within(0.25, 0.3)
  })

  it('takes a second image without projection in mode SingleFrameOut1', () => {
    busy(single({ acquisition_mode: 'SingleFrameOut1' })).should.be.approximately(1 / 3 + 0.04, 0.002)
  })

  it('reports the actual rate', () => {
    const bench = moduleBench()
    const fps = () => Number(bench.status('stereomatching').fps)
    fps().should.be.within(2.8, 3)
    bench.set('camera', { fps: 2 })
    fps().should.be.within(1.8, 2)
    bench.scenario.image_client = false
    fps().should.equal(0)
  })

  it('reports the rate of the recent triggers in single-frame mode', () => {
    const bench = single({ quality: 'Low' })
    const fps = () => Number(bench.status('stereomatching').fps)
    fps().should.equal(0)
    for (let second = 0; second < 20; second += 1) {
      trigger(bench).should.equal(0)
      bench.clock.advance(1)
    }
    fps().should.be.approximately(1, 0.11)
    bench.clock.advance(11)
    fps().should.equal(0)
  })

  it('reports size and durations by quality, and the range of depths', () => {
    const bench = moduleBench()
    bench.status('stereomatching').should.containDeep({
      width: 640,
      height: 480,
      mindepth: 0.1,
      maxdepth: 100,
      reduced_depth_range: 0,
    })
    bench.set('stereomatching', { quality: 'Full', maxdepth: 5 })
    const { time_matching, time_postprocessing, ...full } = bench.status('stereomatching')
    full.should.containDeep({ width: 1280, height: 960, maxdepth: 5, reduced_depth_range: 1 })
    full.mindepth?.should.be.within(0.13, 0.14)
    ;(Number(time_matching) + Number(time_postprocessing)).should.be.approximately(1, 1e-5)
    full.latency?.should.be.above(1)
  })

  it('requires licenses for quality Full, smoothing and output 1', () => {
    const licenses = moduleBench()
      .module('stereomatching')
      .parameters.flatMap(({ name, license }) => (license ? [[name, license.component, license.value]] : []))
    licenses.should.deepEqual([
      ['acquisition_mode', 'iocontrol', 'SingleFrameOut1'],
      ['quality', 'stereo_plus', 'Full'],
      ['smooth', 'stereo_plus', true],
    ])
  })
})
