import should from 'should'
import { call, running } from './pick-bench'

describe('itempick', () => {
  it('accepts no items of unknown kind, and ignores curved ones unless allowed', () => {
    const bench = running('itempick')
    bench.set('itempick', { max_grasps: 20 })
    const { items, grasps } = call(bench, 'itempick')
    items.should.be.empty()
    grasps.every(({ item_uuid }) => item_uuid === '').should.be.true()
    bench.set('itempick', { cluster_max_curvature: 0.5 })
    call(bench, 'itempick').grasps.length.should.be.above(grasps.length)
  })

  it('returns surfaces within the dimensions of its model', () => {
    const bench = running('itempick')
    bench.set('itempick', { max_grasps: 20 })
    const within = (unknown: object) =>
      call(bench, 'itempick', { item_models: [{ type: 'UNKNOWN', unknown }] })
    const lengths = within({}).grasps.map((grasp) => grasp.max_suction_surface_length)
    const [middle = 0] = lengths.sort((one, other) => one - other).slice(lengths.length / 2)
    const max_dimensions = { x: middle, y: middle, z: 1 }
    within({ max_dimensions }).grasps.length.should.be.below(lengths.length)
    within({ min_dimensions: { x: 0.5, y: 0.5, z: 0 } }).code.should.equal(101)
    within({ min_dimensions: { x: 0.5, y: 0.5, z: 0 }, max_dimensions }).code.should.equal(-1)
    bench.set('itempick', { cluster_max_dimension: 0.05 })
    within({}).code.should.equal(101)
  })

  it('supports bags only on the multi variant, with their license', () => {
    const bags = { item_models: [{ type: 'BAG' }] }
    call(running('itempick'), 'itempick', bags).code.should.equal(-1)
    const bench = running('itempick', { variant: 'multi' })
    const { items, grasps } = call(bench, 'itempick', bags)
    items.length.should.be.above(0)
    for (const grasp of grasps) {
      const item = items.find(({ uuid }) => uuid === grasp.item_uuid)
      should(item?.grasp_uuids).deepEqual([grasp.uuid])
    }
    bench.scenario.license = { itempick_ai: false }
    call(bench, 'itempick', bags).code.should.equal(-9)
  })
})
