import 'should'
import { moduleBench } from '../../support/module-bench'

const bin = {
  id: 'bin',
  outer_dimensions: { x: 0.6, y: 0.4, z: 0.2 },
  inner_dimensions: { x: 0.56, y: 0.36, z: 0.19 },
}
const identity = { position: { x: 0, y: 0, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }

describe('load_carrier_db', () => {
  const set = (load_carrier: object, bench = moduleBench()) =>
    bench.call('load_carrier_db', 'set_load_carrier', { load_carrier }).return_code
  const stored = (load_carrier: object) => {
    const bench = moduleBench()
    set(load_carrier, bench).value.should.equal(0)
    const [first] = bench.call('load_carrier_db', 'get_load_carriers').load_carriers as Record<
      string,
      unknown
    >[]
    return first ?? {}
  }

  it('fills in missing fields', () => {
    const { rim_thickness, ...rest } = stored(bin)
    rest.should.deepEqual({
      ...bin,
      type: 'STANDARD',
      rim_step_height: 0,
      rim_ledge: { x: 0, y: 0 },
      height_open_side: 0,
      pose: identity,
      pose_frame: '',
      pose_type: 'NO_POSE',
    })
    const { x, y } = rim_thickness as { x: number; y: number }
    x.should.be.approximately(0.02, 1e-12)
    y.should.be.approximately(0.02, 1e-12)
  })

  it('accepts a record that it has returned', () => {
    const record = stored(bin)
    stored(record).should.deepEqual(record)
  })

  it('treats a given pose as a prior unless its type says otherwise', () => {
    const posed = { ...bin, type: '', pose: identity, pose_frame: 'external' }
    stored(posed).should.containDeep({ pose_type: 'ORIENTATION_PRIOR', pose_frame: 'external' })
    stored({ ...posed, pose_type: 'EXACT_POSE' }).should.containDeep({ pose_type: 'EXACT_POSE' })
    stored({ ...posed, pose_type: 'NO_POSE' }).should.containDeep({ pose_type: 'NO_POSE', pose_frame: '' })
  })

  const invalid: Record<string, object> = {
    'load_carrier.id': { ...bin, id: '' },
    'load_carrier.type': { ...bin, type: 'ROUND' },
    'load_carrier.outer_dimensions.x': { ...bin, outer_dimensions: { x: 0.09, y: 0.4, z: 0.2 } },
    'load_carrier.outer_dimensions.z': { ...bin, outer_dimensions: { x: 0.6, y: 0.4, z: 2.01 } },
    'load_carrier.inner_dimensions.y': { ...bin, inner_dimensions: { x: 0.5, y: 0.41, z: 0.1 } },
    'load_carrier.rim_thickness.x': { ...bin, rim_thickness: { x: -0.01, y: 0 } },
    'load_carrier.rim_step_height': { ...bin, rim_step_height: 0.3 },
    'load_carrier.rim_ledge.y': { ...bin, rim_ledge: { x: 0, y: -1 } },
    'load_carrier.height_open_side': { ...bin, type: 'THREE_SIDED', height_open_side: 0.21 },
    'load_carrier.pose_frame': { ...bin, pose: identity, pose_frame: 'robot' },
    'load_carrier.pose_type': { ...bin, pose_type: 'SOME_POSE' },
    'load_carrier.pose is missing': { ...bin, pose_type: 'EXACT_POSE', pose_frame: 'camera' },
  }
  for (const [field, record] of Object.entries(invalid))
    it(`refuses a wrong ${field} by name`, () => {
      const { value, message } = set(record)
      value.should.equal(-1)
      message.should.startWith(field)
    })

  it('has room for 50', () => {
    const bench = moduleBench()
    for (let index = 1; index < 50; index += 1)
      set({ ...bin, id: `bin${index}` }, bench).value.should.equal(0)
    set({ ...bin, id: 'last' }, bench).value.should.equal(10)
    set({ ...bin, id: 'more' }, bench).value.should.equal(-10)
  })

  it('keeps its records across a restart, and deletes by id', () => {
    const before = moduleBench()
    set(bin, before)
    const after = moduleBench()
    after.restoreFrom(before)
    set(bin, after).value.should.equal(11)
    after.code('load_carrier_db', 'delete_load_carriers', { load_carrier_ids: ['bin'] }).should.equal(0)
    after.call('load_carrier_db', 'get_load_carriers').load_carriers?.should.deepEqual([])
  })
})
