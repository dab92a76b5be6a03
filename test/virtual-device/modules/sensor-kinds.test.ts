import 'should'
import { manualClock } from '../../../virtual-device'
import { moduleBench } from '../../support/module-bench'

const benchOf = (kind: string) => moduleBench('multi', manualClock(), { kind })
const camera = (kind: string) => {
  const { parameters, services } = benchOf(kind).module('camera')
  return { parameters: new Map(parameters.map((each) => [each.name, each])), services: Object.keys(services) }
}

describe('the camera of a kind of sensor', () => {
  const stereo = camera('stereo_a')

  it('has more colours and a manual exposure on stereo_c', () => {
    const { parameters } = camera('stereo_c')
    const more = [...parameters.keys()].filter((name) => !stereo.parameters.has(name))
    more.should.deepEqual([
      'brightness',
      'contrast',
      'contrast_mode',
      'light_source_preset',
      'saturation',
      'wb_ratio_green',
    ])
    parameters.get('exp_auto')?.default.should.equal(false)
    parameters.get('exp_control')?.default.should.equal('Manual')
  })

  it('has no trigger and other limits on time_of_flight', () => {
    const { parameters, services } = camera('time_of_flight')
    const fewer = [...stereo.parameters.keys()].filter((name) => !parameters.has(name))
    fewer.sort().should.deepEqual(['acquisition_mode', 'gamma', 'trigger_activation', 'trigger_source'])
    services.should.be.empty()
    parameters.get('fps')?.default.should.equal(20)
    parameters.get('exp_width')?.max?.should.equal(1280)
    parameters.get('exp_control')?.choices?.should.deepEqual(['Manual', 'Auto'])
    parameters.get('wb_ratio_red')?.should.containEql({ default: 1, min: 0.125, max: 8 })
  })

  it('has almost no parameters on structured_light, and waits for triggers', () => {
    const bench = benchOf('structured_light')
    bench
      .module('camera')
      .parameters.map(({ name }) => name)
      .sort()
      .should.deepEqual(['acquisition_mode', 'fps', 'preset_name'])
    bench.set('camera', { preset_name: 'shiny' })
    bench.value('camera', 'acquisition_mode').should.equal('Trigger')
    bench.status('camera').should.containDeep({ fps: 0, last_timestamp_grabbed: 0 })
    bench.code('structured_light', 'acquisition_trigger').should.equal(0)
    bench.status('camera').last_timestamp_grabbed?.should.equal(bench.clock.now())
    for (const value of Object.values(bench.status('camera'))) value.should.not.be.NaN()
  })

  it('has a larger image on stereo_b', () => {
    benchOf('stereo_b').status('camera').should.containDeep({ width: 4112, height: 3008 })
  })

  for (const kind of ['stereo_c', 'time_of_flight', 'structured_light'])
    it(`leaves the inputs and outputs readable on ${kind}`, () => {
      benchOf(kind).code('iocontrol', 'get_io_values').should.equal(0)
    })
})

describe('the depth node of a kind of sensor', () => {
  for (const [kind, width] of [
    ['time_of_flight', 640],
    ['structured_light', 1280],
  ] as const)
    it(`accepts triggers on ${kind} as a stereo camera does`, () => {
      const bench = benchOf(kind)
      const trigger = () => bench.code(kind, 'acquisition_trigger')
      bench.set(kind, { acquisition_mode: 'Continuous' })
      trigger().should.equal(-8)
      Number(bench.status(kind).fps).should.be.above(1)
      bench.set(kind, { acquisition_mode: 'SingleFrame' })
      bench.status(kind).fps?.should.equal(0)
      bench.scenario.image_client = false
      trigger().should.equal(102)
      bench.scenario.image_client = true
      trigger().should.equal(0)
      trigger().should.equal(101)
      bench.clock.advance(Number(bench.status(kind).latency))
      trigger().should.equal(0)
      bench.status(kind).width?.should.equal(width)
    })

  it('is never faster than the camera', () => {
    const bench = benchOf('time_of_flight')
    bench.set('camera', { fps: 2 })
    bench.status('time_of_flight').latency?.should.be.above(0.5)
  })

  it('returns the time of its last image while it runs continuously', () => {
    const bench = benchOf('structured_light')
    bench.status('structured_light').last_timestamp_grabbed?.should.equal(0)
    bench.set('structured_light', { acquisition_mode: 'Continuous' })
    bench.status('structured_light').last_timestamp_grabbed?.should.equal(bench.clock.now())
  })
})
