import should from 'should'
import { distance } from '../../../lib/robotics/pose'
import { axisOf } from '../../../virtual-device/detection/geometry'
import { identity } from '../detection/scene-bench'
import { call, running } from './pick-bench'

describe('boxpick', () => {
  const rectangle = (min: number, max: number) => ({
    item_models: [
      {
        type: 'RECTANGLE',
        rectangle: { min_dimensions: { x: min, y: 0 }, max_dimensions: { x: max, y: max } },
      },
    ],
  })

  it('detects rectangles within the dimensions of the model', () => {
    const bench = running('boxpick')
    const detect = (min: number, max: number) => call(bench, 'boxpick', rectangle(min, max), 'detect_items')
    const all = detect(0, 1)
    all.code.should.equal(0)
    all.items.length.should.be.within(7, 9)
    for (const { type, rectangle: size, bounding_box: box, pose, grasp_uuids } of all.items) {
      type.should.equal('RECTANGLE')
      size.x.should.be.aboveOrEqual(size.y)
      axisOf(pose, 'z').z.should.be.below(-0.9)
      should(box).containEql({ x: size.x, y: size.y })
      box.z.should.be.within(0.03, 0.07)
      should(grasp_uuids).be.undefined()
    }
    const lengths = all.items.map(({ rectangle: size }) => size.x).sort((one, other) => one - other)
    const middle = ((lengths[3] ?? 0) + (lengths[4] ?? 0)) / 2
    detect(0, middle).items.should.have.length(4)
    detect(middle, 1).items.should.have.length(lengths.length - 4)
    detect(0.5, 1).should.containDeep({ code: 101, items: [] })
    detect(0.5, 0.4).code.should.equal(-1)
    call(bench, 'boxpick', { item_models: [] }, 'detect_items').code.should.equal(-1)
  })

  it('links grasps to its items', () => {
    const { items, grasps } = call(running('boxpick'), 'boxpick')
    items.length.should.be.above(grasps.length)
    for (const grasp of grasps) {
      const item = items.find(({ uuid }) => uuid === grasp.item_uuid)
      should(item?.grasp_uuids).deepEqual([grasp.uuid])
      distance(item?.pose.position ?? identity.position, grasp.pose.position).should.be.below(1e-9)
    }
  })

  it('rejects insufficiently covered clusters: 112', () => {
    const bench = running('boxpick')
    bench.set('boxpick', { min_cluster_coverage: 0.9 })
    const { code, items } = call(bench, 'boxpick', rectangle(0, 1), 'detect_items')
    code.should.equal(112)
    items.length.should.be.above(0)
  })

  it('detects textured boxes by their dimensions, and finds their templates', () => {
    const bench = running('boxpick')
    bench.scene({ noise: 0 })
    const flat = call(bench, 'boxpick', {}, 'detect_items').items[0]?.rectangle ?? { x: 0, y: 0 }
    const textured = (more: object = {}) => ({
      item_models: [
        {
          type: 'TEXTURED_BOX',
          textured_box: { dimensions: { ...flat, z: 0.05 }, dimensions_tolerance_m: 0.02, ...more },
        },
      ],
    })
    call(bench, 'boxpick', textured(), 'detect_items').items.length.should.be.above(0)
    call(bench, 'boxpick', textured({ template_id: 'soap' }), 'detect_items').code.should.equal(-1)
    bench.store('boxpick', 'soap')
    const { items } = call(bench, 'boxpick', textured({ template_id: 'soap' }), 'detect_items')
    should(items[0]).containDeep({ type: 'TEXTURED_BOX', template_id: 'soap' })
    bench.scenario.license = { boxpick_match: false }
    call(bench, 'boxpick', textured(), 'detect_items').code.should.equal(-9)
  })
})
