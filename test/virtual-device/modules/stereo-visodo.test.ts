import should from 'should'
import { moduleBench } from '../../support/module-bench'

describe('stereovisodo', () => {
  it('runs while dynamics does, at up to 12 Hz', () => {
    const bench = moduleBench()
    bench.scenario.image_client = false
    const atRest = () => bench.module('stereovisodo').atRest?.()
    should(atRest()).be.true()
    bench.call('dynamics', 'start')
    bench.clock.advance(2)
    should(atRest()).be.false()
    const fps = () => Number(bench.status('stereovisodo').fps)
    fps().should.be.within(11.5, 12)
    bench.scenario.image_client = true
    fps().should.be.within(10, 11)
    bench.set('camera', { fps: 5 })
    fps().should.be.below(5)
  })

  it('detects the configured number of corners, and takes longer for more', () => {
    const bench = moduleBench()
    const before = bench.status('stereovisodo')
    before.corner?.should.be.within(400, 500)
    bench.set('stereovisodo', { ncorner: 1000 })
    const after = bench.status('stereovisodo')
    after.corner?.should.be.within(800, 1000)
    Number(after.time_frame).should.be.above(Number(before.time_frame))
    after.feature?.should.be.belowOrEqual(300)
  })
})
