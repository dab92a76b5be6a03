import 'should'
import type { Vector } from '../../../lib/robotics/pose'
import { sceneBench } from '../detection/scene-bench'

interface Depths {
  coverage: number
  min_z: Vector
  mean_z: Vector
  max_z: Vector
}
type Bench = ReturnType<typeof sceneBench>

describe('measure', () => {
  const measure = (bench: Bench, args: object = {}) => {
    const { return_code, overall, cells, ...rest } = bench.call('measure', 'measure_depth', {
      pose_frame: 'camera',
      ...args,
    })
    return { code: return_code.value, overall: overall as Depths, cells: cells as Depths[], ...rest }
  }
  const empty = () => {
    const bench = sceneBench()
    bench.scene({ load_carrier: false, items: 0, tilt: 0, noise: 0 })
    return bench
  }

  it('measures the floor if there is nothing else', () => {
    const { code, overall, cells, ...rest } = measure(empty())
    code.should.equal(0)
    for (const { z } of [overall.min_z, overall.mean_z, overall.max_z]) z.should.be.approximately(1.2, 1e-6)
    overall.coverage.should.be.within(0.85, 1)
    cells.should.be.empty()
    rest.should.containDeep({
      cell_count: { x: 0, y: 0 },
      region_of_interest_2d: { offset_x: 0, offset_y: 0, width: 1280, height: 960 },
      pose_frame: 'camera',
      timestamp: { sec: 1_700_000_000, nsec: 0 },
    })
  })

  it('measures nearer points at the load carrier, and cells row by row', () => {
    const bench = sceneBench()
    const { overall, cells } = measure(bench, { cell_count: { x: 4, y: 3 } })
    cells.should.have.length(12)
    overall.min_z.z.should.be.within(0.95, 1.1)
    overall.max_z.z.should.be.within(1.1, 1.3)
    for (const [index, { mean_z, min_z, max_z }] of cells.entries()) {
      min_z.z.should.be.belowOrEqual(max_z.z)
      Math.floor((mean_z.x / mean_z.z) * 0.844893 * 4 + 2).should.equal(index % 4)
      Math.floor((mean_z.y / mean_z.z) * 0.844893 * (4 / 3) * 3 + 1.5).should.equal(Math.floor(index / 4))
    }
  })

  it('prefers a region given by id to one given in full', () => {
    const bench = empty()
    const stored = { offset_x: 10, offset_y: 20, width: 30, height: 40 }
    bench.call('roi_db', 'set_region_of_interest_2d', { region_of_interest_2d: { id: 'a', ...stored } })
    const given = { offset_x: 600, offset_y: 400, width: 100, height: 100 }
    const answer = measure(bench, { region_of_interest_2d: given })
    answer.should.containDeep({ region_of_interest_2d: given })
    Math.abs(answer.overall.mean_z.x).should.be.below(0.05)
    measure(bench, { region_of_interest_2d: given, region_of_interest_2d_id: 'a' }).should.containDeep({
      region_of_interest_2d: stored,
    })
  })

  it('has no depth outside the range of the depth node', () => {
    const bench = empty()
    bench.set('stereomatching', { maxdepth: 1 })
    const { code, overall } = measure(bench)
    code.should.equal(0)
    overall.should.deepEqual({ coverage: 0, min_z: zero, mean_z: zero, max_z: zero })
  })

  it('answers in the external frame', () => {
    const bench = empty()
    bench.handEye(false, { position: { x: 0, y: 0, z: 1.2 }, orientation: { w: 0, x: 1, y: 0, z: 0 } })
    const { overall } = measure(bench, { pose_frame: 'external' })
    overall.mean_z.z.should.be.approximately(0, 1e-6)
  })

  it('measures the last images again', () => {
    const bench = empty()
    bench.set('stereomatching', { acquisition_mode: 'SingleFrame' })
    measure(bench, { data_acquisition_mode: 'USE_LAST' }).code.should.equal(-11)
    measure(bench).code.should.equal(0)
    bench.clock.advance(7)
    measure(bench, { data_acquisition_mode: 'USE_LAST' }).should.containDeep({
      code: 0,
      timestamp: { sec: 1_700_000_000 },
    })
    measure(bench, { data_acquisition_mode: 'CAPTURE_NEW' }).should.containDeep({
      timestamp: { sec: 1_700_000_007 },
    })
  })

  it('can use the images of another detection', () => {
    const bench = empty()
    bench.call('itempick', 'start')
    const cup = { suction_surface_length: 1, suction_surface_width: 1 }
    const { timestamp } = bench.call('itempick', 'compute_grasps', { pose_frame: 'camera', ...cup })
    bench.clock.advance(7)
    measure(bench, { data_acquisition_mode: 'USE_LAST' }).should.containDeep({ code: 0, timestamp })
  })

  for (const [name, args] of Object.entries({
    'too many cells': { cell_count: { x: 101, y: 1 } },
    'more cells than pixels': {
      cell_count: { x: 10, y: 1 },
      region_of_interest_2d: { offset_x: 0, offset_y: 0, width: 5, height: 5 },
    },
    'a region outside of the image': {
      region_of_interest_2d: { offset_x: 1200, offset_y: 0, width: 100, height: 100 },
    },
    'a region without an area': { region_of_interest_2d: { offset_x: 1, offset_y: 1, width: 0, height: 10 } },
    'an unknown region': { region_of_interest_2d_id: 'nowhere' },
    'an unknown acquisition mode': { data_acquisition_mode: 'SOMETIMES' },
    'an unknown frame': { pose_frame: 'robot' },
  }))
    it(`answers -1 for ${name}`, () => {
      measure(sceneBench(), args).should.containDeep({ code: -1, cells: [], pose_frame: '' })
    })

  it('reports the durations of the last measurement', () => {
    const bench = sceneBench()
    bench.status('measure').should.deepEqual({
      data_acquisition_time: 0,
      last_timestamp_processed: 0,
      processing_time: 0,
    })
    measure(bench)
    const { data_acquisition_time, last_timestamp_processed, processing_time } = bench.status('measure')
    data_acquisition_time?.should.be.above(0.3)
    last_timestamp_processed?.should.equal(bench.clock.now())
    processing_time?.should.be.above(0)
  })
})

const zero = { x: 0, y: 0, z: 0 }
