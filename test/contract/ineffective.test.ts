import should from 'should'
import type { Parameter } from '../../lib/contract'
import { decidingNodes, madeIneffectiveBy, ineffectiveRules } from '../../lib/contract/reading/ineffective'
import { cameraParameters } from '../../virtual-device/modules/camera'
import { sensorKinds } from '../../virtual-device/options'
import { moduleBench } from '../support/module-bench'

const record = (name: string, value: unknown): Parameter => ({
  name,
  value,
  type: 'any',
  default: value,
  description: '',
})
const records = (values: Record<string, unknown>) =>
  Object.entries(values).map(([name, value]) => record(name, value))
const by = (node: string, parameter: string, values: Record<string, unknown>) =>
  madeIneffectiveBy(node, parameter, { [node]: records(values) })?.record.name

describe('what makes a parameter ineffective', () => {
  const benches = [moduleBench(), ...sensorKinds.map((kind) => moduleBench('multi', undefined, { kind }))]
  /** The parameters of a module on devices of all kinds. */
  const parametersOf = (module: string) => {
    const ofModules = benches.flatMap((bench) =>
      bench.names().includes(module) ? bench.module(module).parameters : [],
    )
    const ofKinds = module === 'camera' ? cameraParameters('multi', 'stereo_c') : []
    return Object.fromEntries([...ofModules, ...ofKinds].map((each) => [each.name, each]))
  }

  it('names only parameters of devices, with possible values', () => {
    for (const [module, rules] of Object.entries(ineffectiveRules)) {
      const known = parametersOf(module)
      for (const { parameters, causes } of rules) {
        for (const name of parameters) known.should.have.property(name)
        for (const { name, values, of = module } of causes) {
          const { default: byDefault, choices } = parametersOf(of)[name] ?? {}
          for (const value of values) {
            should(typeof value).equal(typeof byDefault, `${module} ${name}`)
            if (typeof value === 'string') should(choices).containEql(value)
          }
        }
      }
    }
  })

  it('is the automatic exposure for manual values, and the other way round', () => {
    should(by('dev_camera', 'exp_value', { exp_auto: true, exp_control: 'Auto' })).equal('exp_auto')
    should(by('xy_camera', 'gain_value', { exp_auto: true })).equal('exp_auto')
    should(by('dev_camera', 'exp_value', { exp_auto: false, exp_control: 'HDR' })).equal('exp_control')
    should(by('dev_camera', 'exp_value', { exp_auto: false, exp_control: 'Manual' })).be.undefined()
    should(by('dev_camera', 'exp_max', { exp_auto: false, exp_control: 'HDR' })).be.undefined()
    should(by('dev_camera', 'exp_max', { exp_auto: false, exp_control: 'Manual' })).equal('exp_control')
    should(by('dev_camera', 'exp_max', { exp_auto: false })).equal('exp_auto')
  })

  describe('on another node', () => {
    const adapts = (camera: Record<string, unknown>, prefix = 'dev_') => {
      const node = `${prefix}stereomatching`
      const own = records({ acquisition_mode: 'SingleFrame' })
      const found = madeIneffectiveBy(node, 'exposure_adapt_timeout', {
        ...{ [node]: own, [`${prefix}camera`]: records(camera), other_camera: records({ exp_auto: false }) },
      })
      return found && { node: found.node, name: found.record.name }
    }

    it("is the camera's manual exposure, for the wait until the automatic one has settled", () => {
      should(adapts({ exp_control: 'Manual', exp_auto: false })).eql({
        node: 'dev_camera',
        name: 'exp_control',
      })
      should(adapts({ exp_auto: false }, 'xy_')).eql({ node: 'xy_camera', name: 'exp_auto' })
      should(adapts({ exp_control: 'HDR', exp_auto: false })).be.undefined()
      should(adapts({ exp_auto: true })).be.undefined()
    })
    it('is undefined if the device has no such node, or it could not be read', () =>
      should(adapts({})).be.undefined())
    it('is read from that node only', () => {
      decidingNodes('xy_stereomatching').should.eql(['xy_camera'])
      decidingNodes('stereomatching').should.eql(['camera'])
      for (const node of ['dev_camera', 'dev_cadmatch', 'dev_unknown', '']) decidingNodes(node).should.eql([])
    })
  })

  it('is check_collisions for its refinements, unless a call names a gripper', () => {
    for (const node of ['dev_cadmatch', 'dev_silhouettematch']) {
      const found = (on: boolean) =>
        madeIneffectiveBy(node, 'check_collisions_with_matches', {
          [node]: records({ check_collisions: on }),
        })
      should(found(false)).match({ record: { name: 'check_collisions' }, unlessCallHas: 'gripper' })
      should(found(true)).be.undefined()
    }
  })

  it('is undefined if the device does not have it, or for another parameter', () => {
    should(by('dev_camera', 'exp_value', {})).be.undefined()
    should(by('dev_camera', 'fps', { exp_auto: true })).be.undefined()
    should(by('dev_time_of_flight', 'exp_value', { exp_auto: true })).be.undefined()
    should(by('dev_hand_eye_calibration', 'tcp_offset', { tcp_rotation_axis: -1 })).equal('tcp_rotation_axis')
    should(by('dev_hand_eye_calibration', 'tcp_offset', { tcp_rotation_axis: 2 })).be.undefined()
  })
})
