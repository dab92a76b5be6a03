import 'should'
import { moduleBench } from '../../support/module-bench'

describe('iocontrol', () => {
  const outputs = (bench: ReturnType<typeof moduleBench>) =>
    Number(bench.call('iocontrol', 'get_io_values').values)

  it('reports which bits are inputs and outputs, and the state of the outputs', () => {
    const bench = moduleBench()
    bench.set('iocontrol', { out1_mode: 'High', out2_inverted: true, out1_ratio: 0.5 })
    bench.call('iocontrol', 'get_io_values').should.deepEqual({
      input_mask: 12,
      output_mask: 3,
      inverter_mask: 2,
      ratio_mask: 1,
      values: 3,
      timestamp: { sec: 1_700_000_000, nsec: 0 },
      return_code: { value: 0, message: 'success' },
    })
  })

  for (const [mode, frames] of [
    ['ExposureActive', [1, 1, 1, 1]],
    ['ExposureAlternateActive', [1, 0, 1, 0]],
  ] as const)
    it(`is high while the sensor exposes in mode ${mode}`, () => {
      const bench = moduleBench()
      bench.set('iocontrol', { out1_mode: mode })
      bench.clock.advance(0.001)
      for (const high of frames) {
        outputs(bench).should.equal(high)
        bench.clock.advance(0.02)
        outputs(bench).should.equal(0)
        bench.clock.advance(0.02)
      }
    })

  it('halves the rate of depth images while output 1 alternates', () => {
    const bench = moduleBench()
    bench.set('stereomatching', { quality: 'Low' })
    const fps = () => Number(bench.status('stereomatching').fps)
    fps().should.be.within(23, 25)
    bench.status('camera').out1_reduction?.should.equal(0)
    bench.set('iocontrol', { out1_mode: 'ExposureAlternateActive' })
    fps().should.be.within(11.5, 12.5)
    Number(bench.status('camera').out1_reduction).should.be.above(0)
  })
})
