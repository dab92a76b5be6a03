import 'should'
import { moduleBench } from '../../support/module-bench'

const pose = { position: { x: 0, y: 0, z: 1 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
const box = (id: string) => ({ id, type: 'BOX', box: { x: 1, y: 2, z: 3 }, pose, pose_frame: 'camera' })
const flat = (id: string) => ({ id, offset_x: 10, offset_y: 20, width: 30, height: 40 })

describe('roi_db', () => {
  const set = (bench = moduleBench(), region: object = box('a')) =>
    bench.call('roi_db', 'set_region_of_interest', { region_of_interest: region }).return_code
  const get = (bench: ReturnType<typeof moduleBench>, ids?: string[]) =>
    bench.call('roi_db', 'get_regions_of_interest', { ...(ids && { region_of_interest_ids: ids }) })
      .regions_of_interest as { id: string }[]

  it('returns complete records', () => {
    const bench = moduleBench()
    set(bench).value.should.equal(0)
    get(bench).should.deepEqual([{ ...box('a'), sphere: { radius: 0 } }])
  })

  it('uses the identity if a region has no pose', () => {
    const bench = moduleBench()
    set(bench, {
      id: 's',
      type: 'SPHERE',
      sphere: { radius: 0.2 },
      pose_frame: 'external',
    }).value.should.equal(0)
    get(bench)[0]?.should.containDeep({ pose: { position: { x: 0 }, orientation: { w: 1 } }, box: { x: 0 } })
  })

  it('lists the given ids, all without ids, and skips unknown ids', () => {
    const bench = moduleBench()
    for (const id of ['a', 'b', 'c']) set(bench, box(id))
    get(bench, ['c', 'nothing', 'a'])
      .map(({ id }) => id)
      .should.deepEqual(['c', 'a'])
    get(bench, []).length.should.equal(3)
    get(bench).length.should.equal(3)
  })

  it('deletes only the given ids', () => {
    const bench = moduleBench()
    for (const id of ['a', 'b']) set(bench, box(id))
    const remove = (ids?: string[]) =>
      bench.code('roi_db', 'delete_regions_of_interest', { region_of_interest_ids: ids })
    remove([]).should.equal(0)
    remove().should.equal(0)
    get(bench).length.should.equal(2)
    remove(['a', 'nothing']).should.equal(0)
    get(bench)
      .map(({ id }) => id)
      .should.deepEqual(['b'])
  })

  it('says 11 on overwriting, 10 on using the last place, -10 beyond it', () => {
    const bench = moduleBench()
    for (let index = 1; index < 100; index += 1) set(bench, box(`r${index}`)).value.should.equal(0)
    set(bench, box('r1')).value.should.equal(11)
    set(bench, box('last')).value.should.equal(10)
    set(bench, box('more')).value.should.equal(-10)
    const both = set(bench, box('r1'))
    both.value.should.equal(10)
    both.message.should.match(/last of 100 possible.*; overwrote the region of interest 'r1'/)
    get(bench).length.should.equal(100)
  })

  const invalid: Record<string, object> = {
    'region_of_interest.id': { ...box('') },
    'region_of_interest.type': { ...box('a'), type: 'CUBE' },
    'region_of_interest.box.y': { ...box('a'), box: { x: 1, y: 0, z: 1 } },
    'region_of_interest.box.z': { ...box('a'), box: { x: 1, y: 1 } },
    'region_of_interest.sphere.radius': { ...box('a'), type: 'SPHERE' },
    'region_of_interest.pose.orientation': { ...box('a'), pose: { orientation: { w: 2, x: 0, y: 0, z: 0 } } },
    'region_of_interest.pose_frame': { ...box('a'), pose_frame: 'robot' },
  }
  for (const [field, region] of Object.entries(invalid))
    it(`refuses a wrong ${field} by name`, () => {
      const bench = moduleBench()
      const { value, message } = set(bench, region)
      value.should.equal(-1)
      message.should.startWith(field)
      get(bench).should.deepEqual([])
    })

  it('keeps 2D regions apart from 3D ones, and lists them under the same key', () => {
    const bench = moduleBench()
    set(bench)
    bench.code('roi_db', 'set_region_of_interest_2d', { region_of_interest_2d: flat('a') }).should.equal(0)
    bench.call('roi_db', 'get_regions_of_interest_2d').regions_of_interest?.should.deepEqual([flat('a')])
    const refused = bench.call('roi_db', 'set_region_of_interest_2d', {
      region_of_interest_2d: { ...flat('b'), width: 0 },
    })
    refused.return_code.should.deepEqual({
      value: -1,
      message: 'region_of_interest_2d.width must be greater than 0, not 0',
    })
    bench
      .code('roi_db', 'delete_regions_of_interest_2d', { region_of_interest_2d_ids: ['a'] })
      .should.equal(0)
    get(bench).length.should.equal(1)
  })

  it('keeps everything across a restart', () => {
    const before = moduleBench()
    set(before)
    before.call('roi_db', 'set_region_of_interest_2d', { region_of_interest_2d: flat('b') })
    before.changes().should.equal(2)
    const after = moduleBench()
    after.restoreFrom(before)
    get(after)
      .map(({ id }) => id)
      .should.deepEqual(['a'])
    after.call('roi_db', 'get_regions_of_interest_2d').regions_of_interest?.should.deepEqual([flat('b')])
  })
})
