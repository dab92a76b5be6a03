import should from 'should'
import { distance, type Pose } from '../../../lib/robotics/pose'
import { sceneBench } from '../detection/scene-bench'

interface Tag {
  id: string
  instance_id: string
  size: number
  pose: Pose
}
type Bench = ReturnType<typeof sceneBench>

const detect = (bench: Bench, args: object = {}, module = 'april_tag_detect') => {
  const { return_code, tags } = bench.call(module, 'detect', args as Record<string, unknown>)
  return { code: return_code.value, tags: tags as Tag[] }
}
const ids = (bench: Bench, tags: object[] = [], module?: string) =>
  detect(bench, { tags }, module).tags.map(({ id }) => id)
const started = (module = 'april_tag_detect') => {
  const bench = sceneBench()
  bench.call(module, 'start').should.deepEqual({ accepted: true, current_state: 'RUNNING' })
  return bench
}

describe('april_tag_detect', () => {
  it('detects all tags, those of a family, or the named ones', () => {
    const bench = started()
    ids(bench).should.deepEqual(['36h11_0', '36h11_1', '36h11_2', '36h11_3', '25h9_7'])
    ids(bench, [{ id: '25h9' }]).should.deepEqual(['25h9_7'])
    ids(bench, [{ id: '36h11_2' }, { id: '25h9' }]).should.deepEqual(['36h11_2', '25h9_7'])
    ids(bench, [{ id: '36h11_586' }]).should.be.empty()
    detect(bench, { tags: [{ id: '36h11_586' }] }).code.should.equal(0)
  })

  it('detects tags of a size within 10 percent', () => {
    const bench = started()
    ids(bench, [{ id: '36h11', size: 0.054 }]).should.have.length(4)
    ids(bench, [{ id: '36h11', size: 0.06 }]).should.be.empty()
  })

  it('detects inverted tags on request', () => {
    const bench = started()
    bench.set('april_tag_detect', { detect_inverted_tags: true })
    ids(bench).should.containEql('36h11_4')
  })

  it('reads small tags only at a high quality', () => {
    const bench = started()
    bench.set('april_tag_detect', { quality: 'Low' })
    ids(bench).should.be.empty()
    bench.scene({ april_tags: [{ id: '36h11_0', size: 0.3 }] })
    ids(bench).should.deepEqual(['36h11_0'])
  })

  for (const tag of [
    { id: '36h12' },
    { id: '36h11_587' },
    { id: '36h11_' },
    { id: '36h11_x' },
    { id: '16h5_1', size: -1 },
  ])
    it(`answers -1 for the tag ${JSON.stringify(tag)}`, () => {
      detect(started(), { tags: [tag] }).should.deepEqual({ code: -1, tags: [] })
    })

  it('reports the poses of tags, equal within the noise', () => {
    const bench = started()
    const [one, other] = [detect(bench), detect(bench)]
    one.code.should.equal(0)
    for (const [index, tag] of one.tags.entries()) {
      tag.size.should.be.approximately(0.05, 0.001)
      const again = other.tags[index]
      distance(tag.pose.position, again?.pose.position ?? { x: 9, y: 9, z: 9 }).should.be.below(0.002)
    }
  })

  it('recognises its tags until it stops', () => {
    const bench = started()
    const instances = () => detect(bench).tags.map((tag) => tag.instance_id)
    const before = instances()
    new Set(before).size.should.equal(before.length)
    instances().should.deepEqual(before)
    bench.call('april_tag_detect', 'restart').should.deepEqual({ accepted: true, current_state: 'RUNNING' })
    for (const [index, instance] of instances().entries()) instance.should.not.equal(before[index])
  })

  it('drops a tag that was not seen for a long time', () => {
    const bench = started()
    bench.set('april_tag_detect', { forget_after_n_detections: 2 })
    const [first] = detect(bench, { tags: [{ id: '36h11_0' }] }).tags
    const other = () => detect(bench, { tags: [{ id: '36h11_1' }] })
    other()
    const again = detect(bench, { tags: [{ id: '36h11_0' }] }).tags[0]
    should(again?.instance_id).equal(first?.instance_id)
    other()
    other()
    const forgotten = detect(bench, { tags: [{ id: '36h11_0' }] }).tags[0]
    should(forgotten?.instance_id).not.equal(first?.instance_id)
  })

  it('starts itself for a detection, resets, and says so with 201', () => {
    const bench = sceneBench()
    bench.state('april_tag_detect')?.should.equal('IDLE')
    const [one, other] = [detect(bench), detect(bench)]
    one.code.should.equal(201)
    should(one.tags[0]?.instance_id).not.equal(other.tags[0]?.instance_id)
    bench.state('april_tag_detect')?.should.equal('IDLE')
  })

  it('answers -102 once after the clock jumped back', () => {
    const bench = started()
    detect(bench).code.should.equal(0)
    bench.clock.advance(-100)
    detect(bench).should.deepEqual({ code: -102, tags: [] })
    detect(bench).code.should.equal(0)
  })

  it('gives both remarks if both apply', () => {
    const { return_code } = sceneBench().call('april_tag_detect', 'detect', {
      robot_pose: { position: { x: 0, y: 0, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } },
    })
    return_code.value.should.equal(201)
    return_code.message.should.match(/RUNNING.*; .*robot_pose/)
  })

  it('needs no depth images', () => {
    const bench = started()
    bench.scenario.stale_nodes = ['stereomatching']
    detect(bench).code.should.equal(0)
    bench.scenario.stale_nodes = ['camera']
    detect(bench).code.should.equal(-11)
  })
})

describe('qr_code_detect', () => {
  it('detects codes by their text', () => {
    const bench = started('qr_code_detect')
    const all = ['BIN-0017', 'https://example.com/item?id=4711']
    ids(bench, [], 'qr_code_detect').should.deepEqual(all)
    ids(bench, [{ id: 'BIN-0017' }], 'qr_code_detect').should.deepEqual(['BIN-0017'])
    ids(bench, [{ id: 'BIN-0018' }], 'qr_code_detect').should.be.empty()
  })

  it('answers -1 for a text that no code can have', () => {
    detect(started('qr_code_detect'), { tags: [{ id: 'Ä' }] }, 'qr_code_detect').code.should.equal(-1)
  })

  it('has a state of its own', () => {
    const bench = started('qr_code_detect')
    bench.state('april_tag_detect')?.should.equal('IDLE')
    bench.call('qr_code_detect', 'stop').should.deepEqual({ accepted: true, current_state: 'IDLE' })
    bench.state('qr_code_detect')?.should.equal('IDLE')
  })
})
