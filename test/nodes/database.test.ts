import should from 'should'
import { checkRecord } from '../../nodes/database/check-record'
import type { RecordKind } from '../../lib/contract/reading/record-kinds'
import { useBench } from '../support/bench'

const fields = { type: 'vision-database', from: 'message' }
const pose = { position: { x: 0, y: 0, z: 0.8 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }

const samples: Record<RecordKind, Record<string, unknown>> = {
  region: { id: 'bin', type: 'BOX', box: { x: 0.4, y: 0.3, z: 0.2 }, pose, pose_frame: 'camera' },
  region2d: { id: 'left', offset_x: 0, offset_y: 10, width: 640, height: 480 },
  loadCarrier: {
    id: 'crate',
    outer_dimensions: { x: 0.6, y: 0.4, z: 0.2 },
    inner_dimensions: { x: 0.58, y: 0.38, z: 0.18 },
  },
  gripper: {
    id: 'vacuum',
    flange_radius: 0.04,
    elements: [
      { id: 'rod', parent_id: 'flange', type: 'CYLINDER', cylinder: { radius: 0.01, height: 0.1 }, pose },
    ],
    tcp_parent_id: 'rod',
  },
}

for (const [kind, sample] of Object.entries(samples) as [RecordKind, Record<string, unknown>][]) {
  const id = String(sample['id'])

  describe(`database with the kind ${kind}`, () => {
    const bench = useBench({ ...fields, kind })

    it('stores a record, reads one and all, and deletes it', async () => {
      const stored = await bench.send({ payload: sample, topic: 'cell 1' })
      should(stored).match({ topic: 'cell 1', payload: sample, answer: { return_code: { value: 0 } } })

      await bench.deploy({ action: 'get', recordId: 'id', recordIdType: 'msg' })
      should((await bench.send({ id })).payload).match(sample)
      should((await bench.send({ id: [id] })).payload).match([sample])
      should((await bench.send()).payload).match([sample])
      await bench
        .send({ id: 'other' })
        .should.be.rejectedWith({ code: 'NOT_FOUND', message: /no record other/ })

      await bench.deploy({ action: 'delete' })
      should((await bench.send({ id: `${id}, other` })).payload).eql([id, 'other'])
      await bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT' })

      await bench.deploy({ action: 'get' })
      should((await bench.send()).payload).eql([])
    })
  })
}

describe('database with a form', () => {
  const bench = useBench(
    { type: 'vision-database', kind: 'region2d', form: JSON.stringify(samples.region2d) },
    { device: { nodePrefix: 'xy_' } },
  )

  it('stores it on a device whose names begin with another prefix', async () => {
    should((await bench.send()).payload).eql(samples.region2d)
  })

  it('takes the id from its own field if that is filled in, and reports an overwritten record', async () => {
    await bench.deploy({ recordId: 'name', recordIdType: 'msg' })
    should((await bench.send({ name: 'right' })).payload).eql({ ...samples.region2d, id: 'right' })
    should(await bench.send({ name: 'right' })).match({ answer: { return_code: { value: 11 } } })
  })

  it('reports a form without useful content', async () => {
    for (const form of ['{', '[]', '{}']) {
      await bench.deploy({ form, recordId: '', recordIdType: 'str' })
      await bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT' })
    }
  })
})

describe('database', () => {
  const bench = useBench({ ...fields, kind: 'gripper' })

  it('reports why the device refused', async () => {
    const [element] = samples.gripper['elements'] as object[]
    const payload = { ...samples.gripper, elements: [{ ...element, parent_id: 'nobody' }] }
    await bench.send({ payload }).should.be.rejectedWith({ code: 'REFUSED', message: /nobody/ })
  })

  it('sends nothing invalid', async () => {
    const calls = () =>
      bench.device.calls().filter(({ operation }) => operation === 'callGlobalService').length
    const before = calls()
    await bench.send({ payload: 'vacuum' }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    await bench.send({ payload: { id: 'vacuum' } }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    calls().should.equal(before)
  })
})

describe('a record', () => {
  const refusals: [RecordKind, Record<string, unknown>, RegExp][] = [
    ['region', { id: '' }, /id is missing/],
    ['region', { type: 'CONE' }, /type cannot be "CONE".*BOX, SPHERE/],
    ['region', { box: { x: 0.4, y: 0, z: 0.2 } }, /box\.y cannot be 0.*> 0/],
    ['region', { box: undefined }, /box\.x is missing/],
    ['region', { type: 'SPHERE' }, /sphere\.radius is missing/],
    ['region', { pose_frame: '' }, /pose_frame is missing/],
    ['region', { pose: { orientation: { w: 1, x: 1 } } }, /pose\.orientation/],
    ['region2d', { width: 10.5 }, /width cannot be 10\.5/],
    ['region2d', { offset_x: -1 }, /offset_x cannot be -1.*≥ 0/],
    ['region2d', { height: '480' }, /height cannot be "480"/],
    ['loadCarrier', { inner_dimensions: { x: 0.6, y: 0.38, z: 0.18 } }, /inner_dimensions\.x.*< outer/],
    ['loadCarrier', { pose_type: 'EXACT_POSE', pose }, /pose_frame is missing/],
    ['loadCarrier', { rim_step_height: NaN }, /rim_step_height/],
    ['gripper', { flange_radius: -0.1 }, /flange_radius cannot be -0\.1/],
    ['gripper', { elements: 'rod' }, /elements cannot be "rod"/],
    ['gripper', { elements: ['rod'] }, /elements\[0\] cannot be "rod"/],
    [
      'gripper',
      { elements: [{ id: 'a', parent_id: 'flange', type: 'CAD' }] },
      /elements\[0\]\.cad\.id is missing/,
    ],
    [
      'gripper',
      {
        elements: [
          { id: 'a', parent_id: 'flange', type: 'BOX', box: { x: 1, y: 1, z: 1 }, pose: { orientation: {} } },
        ],
      },
      /elements\[0\]\.pose\.orientation/,
    ],
  ]
  for (const [kind, change, message] of refusals)
    it(`of the kind ${kind} is refused with ${JSON.stringify(change)}`, () =>
      should(() => checkRecord(kind, { ...samples[kind], ...change })).throw({
        code: 'INVALID_INPUT',
        message,
      }))

  it('may omit what is optional, and contain what newer firmware has', () => {
    checkRecord('region', { ...samples.region, pose: undefined, colour: 'blue' })
    checkRecord('loadCarrier', { ...samples.loadCarrier, type: '', rim_ledge: {} })
    checkRecord('gripper', { ...samples.gripper, elements: undefined, fingers: [{ id: 'a' }] })
  })
})
