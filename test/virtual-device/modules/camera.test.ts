import 'should'
import { moduleBench } from '../../support/module-bench'

describe('camera', () => {
  for (const [written, found] of [
    [{ exp_auto: false }, { exp_auto: false, exp_control: 'Manual' }],
    [{ exp_control: 'Manual' }, { exp_auto: false, exp_control: 'Manual' }],
    [{ exp_control: 'HDR' }, { exp_auto: false, exp_control: 'HDR' }],
    [
      { exp_auto: false, exp_control: 'HDR' },
      { exp_auto: false, exp_control: 'HDR' },
    ],
  ] as const)
    it(`keeps both switches of the exposure consistent when ${JSON.stringify(written)} is written`, () => {
      const bench = moduleBench()
      bench.set('camera', written)
      for (const [name, value] of Object.entries(found)) bench.value('camera', name).should.equal(value)
      bench.set('camera', { exp_auto: true })
      bench.value('camera', 'exp_control').should.equal('Auto')
    })

  it('copies the last automatic exposure and gain to the manual ones', () => {
    const bench = moduleBench()
    bench.set('camera', { exp_max: 0.001 })
    bench.clock.advance(10)
    const { exp, gain } = bench.status('camera')
    bench.set('camera', { exp_auto: false })
    bench.value('camera', 'exp_value').should.equal(exp)
    bench.value('camera', 'gain_value').should.equal(gain)
    bench.clock.advance(10)
    bench.status('camera').should.containDeep({ exp, gain })
  })

  it('keeps what the write that ends Auto sets itself', () => {
    const bench = moduleBench()
    bench.set('camera', { exp_auto: false, exp_value: 0.005, gain_value: 2 })
    bench.status('camera').should.containDeep({ exp: 0.005, gain: 2 })
  })

  it('copies the last white balance when it becomes manual', () => {
    const bench = moduleBench()
    bench.set('camera', { wb_auto: false })
    bench.value('camera', 'wb_ratio_blue').should.be.approximately(2.4, 0.05).and.not.equal(2.4)
    bench.value('camera', 'wb_ratio_red').should.be.approximately(1.2, 0.03).and.not.equal(1.2)
  })

  it('exposes no longer than exp_max, and amplifies instead', () => {
    const bench = moduleBench()
    for (const exp_max of [0.018, 0.004, 0.001]) {
      bench.set('camera', { exp_max })
      for (let second = 0; second < 60; second += 1) {
        bench.clock.advance(1)
        const { exp, gain, brightness } = bench.status('camera')
        exp?.should.be.belowOrEqual(exp_max)
        gain?.should.be.within(0, 18)
        brightness?.should.be.approximately(0.5, 0.001)
      }
    }
    bench.status('camera').gain?.should.be.above(10)
  })

  it('is darker with a shorter manual exposure', () => {
    const bench = moduleBench()
    bench.set('camera', { exp_auto: false, exp_value: 0.004, gain_value: 0 })
    const bright = Number(bench.status('camera').brightness)
    bench.set('camera', { exp_value: 0.001 })
    Number(bench.status('camera').brightness).should.be.approximately(bright / 4, 0.001)
  })

  it('delivers images at about the configured rate', () => {
    const bench = moduleBench()
    for (const fps of [25, 10, 1]) {
      bench.set('camera', { fps })
      bench.clock.advance(1)
      Number(bench.status('camera').fps)
        .should.be.approximately(fps, fps * 0.01)
        .and.not.equal(fps)
    }
  })

  it('warms up', () => {
    const bench = moduleBench()
    const cold = Number(bench.status('camera').temp_left)
    cold.should.be.below(30)
    bench.clock.advance(3600)
    Number(bench.status('camera').temp_left).should.be.approximately(39.6, 0.5)
    Number(bench.status('camera').temp_right).should.be.approximately(38.2, 0.5)
  })

  describe('with triggering', () => {
    const trigger = (bench: ReturnType<typeof moduleBench>) => bench.code('camera', 'acquisition_trigger')

    it('accepts a software trigger in mode Trigger only', () => {
      const bench = moduleBench('multi')
      trigger(bench).should.equal(-8)
      bench.set('camera', { acquisition_mode: 'Trigger', trigger_source: 'In1' })
      trigger(bench).should.equal(-8)
      bench.set('camera', { trigger_source: 'Software' })
      bench.status('camera').should.containDeep({ fps: 0, last_timestamp_grabbed: 0 })
      trigger(bench).should.equal(0)
      bench.status('camera').last_timestamp_grabbed?.should.equal(bench.clock.now())
      Number(bench.status('camera').fps).should.be.above(0)
      bench.clock.advance(60)
      bench.status('camera').fps?.should.equal(0)
    })

    it('is triggered by a depth trigger', () => {
      const bench = moduleBench('multi')
      bench.set('camera', { acquisition_mode: 'Trigger' })
      bench.set('stereomatching', { acquisition_mode: 'SingleFrame' })
      bench.code('stereomatching', 'acquisition_trigger').should.equal(0)
      bench.status('camera').last_timestamp_grabbed?.should.equal(bench.clock.now())
    })
  })
})
