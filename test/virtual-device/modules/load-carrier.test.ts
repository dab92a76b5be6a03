import should from 'should'
import { distance, type Pose } from '../../../lib/robotics/pose'
import { bin, identity, sceneBench } from '../detection/scene-bench'

interface Levels {
  coverage: number
  level_in_percent: { min: number; mean: number; max: number }
  level_free_in_meters: { min: number; mean: number; max: number }
  cell_position: Pose['position']
  cell_size: { x: number; y: number }
}
interface DetectedLoadCarrier {
  id: string
  pose: Pose
  pose_frame: string
  overfilled: boolean
  overall_filling_level: Levels
  cells_filling_levels: Levels[]
}
type Bench = ReturnType<typeof sceneBench>

describe('load_carrier', () => {
  const args = { pose_frame: 'camera', load_carrier_ids: ['bin'] }
  const detect = (bench: Bench, more: object = {}, service = 'detect_load_carriers') => {
    const { return_code, load_carriers } = bench.call('load_carrier', service, { ...args, ...more })
    return { code: return_code.value, found: load_carriers as DetectedLoadCarrier[] }
  }
  const fill = (bench: Bench, x = 1, y = 1) => {
    const { code, found } = detect(bench, { filling_level_cell_count: { x, y } }, 'detect_filling_level')
    code.should.equal(0)
    return found[0] as DetectedLoadCarrier
  }
  const store = (bench: Bench, load_carrier: object) =>
    bench.code('load_carrier', 'set_load_carrier', { load_carrier }).should.be.oneOf(0, 11)

  it('detects the load carrier of a model, within its noise', () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const bench = sceneBench({ seed })
      const [one, other] = [detect(bench), detect(bench)]
      one.code.should.equal(0)
      should(one.found[0]).containDeep({ ...bin, type: 'STANDARD', overfilled: false, pose_frame: 'camera' })
      const [first, second] = [one.found[0]?.pose ?? identity, other.found[0]?.pose ?? identity]
      distance(first.position, second.position).should.be.within(1e-7, 0.005)
      first.position.z.should.be.approximately(1.1, 0.02)
    }
  })

  it('returns exactly the fields of its shape', () => {
    const shape = sceneBench().module('load_carrier').services.detect_load_carriers?.response as {
      load_carriers: [object]
    }
    const { found } = detect(sceneBench())
    Object.keys(found[0] ?? {})
      .sort()
      .should.deepEqual(Object.keys(shape.load_carriers[0]).sort())
  })

  it('detects none with other dimensions than the model, or none at all: 100', () => {
    const bench = sceneBench()
    store(bench, { ...bin, outer_dimensions: { x: 0.61, y: 0.4, z: 0.2 } })
    detect(bench).should.deepEqual({ code: 100, found: [] })
    bench.set('load_carrier', { model_tolerance: 0.011 })
    detect(bench).code.should.equal(0)
    bench.scene({ load_carrier: false })
    detect(bench).code.should.equal(100)
  })

  it('detects none outside the image, or outside a region', () => {
    const bench = sceneBench()
    bench.scene({ distance: 0.7 })
    detect(bench).code.should.equal(100)
    bench.scene({})
    bench.region('here', { x: 0, y: 0, z: 1 }, 0.3)
    bench.region('there', { x: 0.5, y: 0.5, z: 1 }, 0.3)
    detect(bench, { region_of_interest_id: 'here' }).code.should.equal(0)
    detect(bench, { region_of_interest_id: 'there' }).code.should.equal(100)
    const corner = { id: 'corner', offset_x: 0, offset_y: 0, width: 100, height: 100 }
    bench.call('roi_db', 'set_region_of_interest_2d', { region_of_interest_2d: corner })
    detect(bench, { region_of_interest_2d_id: 'corner' }).code.should.equal(100)
  })

  for (const [name, more, code] of [
    ['no id', { load_carrier_ids: [] }, -1],
    ['two ids', { load_carrier_ids: ['bin', 'bin2'] }, -302],
    ['an unknown id', { load_carrier_ids: ['crate'] }, -1],
    ['an unknown region', { region_of_interest_id: 'nowhere' }, -1],
    ['both kinds of region', { region_of_interest_id: 'a', region_of_interest_2d_id: 'b' }, -1],
    ['too many cells', { filling_level_cell_count: { x: 11, y: 1 } }, -1],
  ] as const)
    it(`answers ${code} for ${name}`, () => {
      const answer = detect(sceneBench(), more, 'detect_filling_level')
      answer.should.deepEqual({ code, found: [] })
    })

  it('trusts an exact pose, and checks whether a prior is approximately right', () => {
    const bench = sceneBench()
    const position = { x: 0.3, y: 0, z: 2 }
    store(bench, { ...bin, pose: { ...identity, position }, pose_frame: 'camera', pose_type: 'EXACT_POSE' })
    detect(bench).found[0]?.pose.position.should.deepEqual(position)
    const upright = { ...identity, orientation: { w: 0, x: 1, y: 0, z: 0 } }
    store(bench, { ...bin, pose: upright, pose_frame: 'camera' })
    detect(bench).code.should.equal(0)
    store(bench, { ...bin, pose: identity, pose_frame: 'camera' })
    detect(bench).code.should.equal(100)
  })

  it('measures its filling level', () => {
    for (let seed = 0; seed < 10; seed += 1) {
      const bench = sceneBench({ seed })
      const { overall_filling_level: level } = fill(bench)
      level.coverage.should.equal(1)
      level.level_in_percent.mean.should.be.within(15, 45)
      level.level_in_percent.min.should.be.within(0, 1)
      level.level_in_percent.max.should.be.within(35, 90)
      level.level_free_in_meters.mean.should.be.approximately(
        0.19 * (1 - level.level_in_percent.mean / 100),
        1e-9,
      )
      bench.scene({ items: 0 })
      fill(bench).overall_filling_level.level_in_percent.max.should.be.within(0, 1)
      bench.scene({ items: 60 })
      const full = fill(bench)
      full.overfilled.should.be.true()
      full.overall_filling_level.level_in_percent.max.should.equal(100)
      full.overall_filling_level.level_free_in_meters.min.should.be.below(0)
    }
  })

  it('measures cells row by row', () => {
    const bench = sceneBench()
    bench.scene({ noise: 0 })
    const { cells_filling_levels: cells, overall_filling_level: overall, pose } = fill(bench, 4, 3)
    cells.should.have.length(12)
    for (const { cell_size } of cells) {
      cell_size.x.should.be.approximately(0.14, 1e-9)
      cell_size.y.should.be.approximately(0.12, 1e-9)
    }
    const mean = cells.reduce((sum, { level_in_percent }) => sum + level_in_percent.mean, 0) / 12
    mean.should.be.approximately(overall.level_in_percent.mean, 1e-6)
    const [first, second, , , fifth] = cells.map(({ cell_position }) => cell_position)
    if (!first || !second || !fifth) throw new Error('too few cells')
    distance(first, second).should.be.approximately(0.14, 0.06)
    distance(first, fifth).should.be.approximately(0.12, 0.06)
    for (const { cell_position } of cells) distance(cell_position, pose.position).should.be.below(0.35)
  })

  it('measures nothing if the depth range ends above the contents: 102', () => {
    const bench = sceneBench()
    bench.set('stereomatching', { maxdepth: 0.5 })
    const { code, found } = detect(bench, {}, 'detect_filling_level')
    code.should.equal(102)
    found[0]?.overall_filling_level.coverage.should.equal(0)
  })

  it('has older names for the services of the databases', () => {
    const bench = sceneBench()
    bench.code('load_carrier', 'set_load_carrier', { load_carrier: bin }).should.equal(11)
    bench.call('load_carrier', 'get_load_carriers').load_carriers?.should.have.length(1)
    bench.code('load_carrier', 'delete_load_carriers', { load_carrier_ids: ['bin'] }).should.equal(0)
    detect(bench).code.should.equal(-1)
  })

  it('can be dumped on the multi variant, after a detection', () => {
    sceneBench().module('load_carrier').services.should.not.have.property('trigger_dump')
    const bench = sceneBench({ variant: 'multi' })
    const dump = (timestamp?: object) =>
      bench.code('load_carrier', 'trigger_dump', { ...(timestamp && { timestamp }) })
    dump().should.equal(-8)
    const { timestamp } = bench.call('load_carrier', 'detect_load_carriers', args)
    dump().should.equal(0)
    dump({ sec: 0, nsec: 0 }).should.equal(0)
    dump(timestamp as object).should.equal(0)
    dump({ sec: 1, nsec: 0 }).should.equal(-1)
  })

  it('requires any one of the licenses that include it', () => {
    should(sceneBench().module('load_carrier').license).containDeep(['load_carrier', 'itempick', 'boxpick'])
  })
})
