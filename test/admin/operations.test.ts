import should from 'should'
import { operation, operationIds } from '../../lib/contract'
import { sampleInput } from '../client/samples'
import { useAdmin } from '../support/admin'
import { useBench } from '../support/bench'
import { provocations } from '../virtual-device/support/provocations'

const noFiles = { huge: new Uint8Array(), artifact: new Uint8Array(), license: new Uint8Array() }
const reads = operationIds.filter((id) => operation(id).method === 'GET')
const writes = operationIds.filter((id) => operation(id).method !== 'GET')
const uploads = writes.filter((id) => operation(id).body?.encoding === 'multipart')
const fields = { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' }

/** Input that succeeds without any previous steps. */
const inputOf = (id: (typeof operationIds)[number]) =>
  provocations(noFiles)[id][200] as { input: Record<string, unknown>; prepare?: unknown }

describe("the editor's requests to a running device", () => {
  // Health checks are far apart, so that the device's calls are the editor's.
  const bench = useBench(fields, { device: { variant: 'multi' }, config: { healthInterval: 3600 } })
  const admin = useAdmin()
  const form = () => ({ id: 'device', address: bench.device.url })
  before(() => bench.state('ready'))

  const query = (input: Record<string, unknown>) =>
    new URLSearchParams(
      Object.entries(input).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
    ).toString()

  for (const id of reads) {
    const { input, prepare } = inputOf(id)
    const mayLack = prepare !== undefined || !(operation(id).variants?.includes('multi') ?? true)
    it(`${id}: is read`, async () => {
      const { status, body } = await admin.get(`vision-devices/device/read/${id}?${query(input)}`)
      if (!mayLack || status !== 404) status.should.equal(200, JSON.stringify(body))
      const byForm = await admin.post(`vision-devices/probe/read/${id}`, { device: form(), input })
      byForm.status.should.equal(status, JSON.stringify(byForm.body))
      if (body && typeof body === 'object') Object.keys(byForm.body as object).should.eql(Object.keys(body))
    })
    it(`${id}: is nothing to call`, async () => {
      for (const path of [`vision-devices/device/call/${id}`, `vision-devices/probe/call/${id}`])
        should(await admin.post(path, { device: form(), input })).match({
          status: 400,
          body: { code: 'INVALID_INPUT', message: /only reads/ },
        })
    })
  }

  for (const id of writes)
    it(`${id}: is never executed by a read`, async () => {
      const { input } = inputOf(id)
      const before = bench.device.calls().length
      const refused = { status: 400, body: { code: 'INVALID_INPUT', message: /may change something/ } }
      should(await admin.get(`vision-devices/device/read/${id}?${query(input)}`)).match(refused)
      should(await admin.post(`vision-devices/probe/read/${id}`, { device: form(), input })).match(refused)
      bench.device.calls().length.should.equal(before)
    })

  for (const id of uploads)
    it(`${id}: sends no file from this machine`, async () => {
      const input = { ...sampleInput(id), file: __filename }
      for (const path of [`vision-devices/device/call/${id}`, `vision-devices/probe/call/${id}`])
        should(await admin.post(path, { device: form(), input })).match({
          status: 400,
          body: { message: /file/ },
        })
    })

  it('write a parameter, on the running device and on the one in the form', async () => {
    const input = { pipeline: '0', node: 'dev_camera', param: 'fps', value: 11 }
    should(await admin.post('vision-devices/device/call/setParameter', { input })).match({
      status: 200,
      body: { name: 'fps', value: 11 },
    })
    const body = { device: form(), input: { ...input, value: 12 }, deadline: 3000 }
    should(await admin.post('vision-devices/probe/call/setParameter', body)).match({ body: { value: 12 } })
  })

  it('report what the device refused, with the code of the error', async () => {
    const input = { pipeline: '0', node: 'dev_camera', param: 'fps', value: 'fast' }
    should(await admin.post('vision-devices/device/call/setParameter', { input })).match({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: /cannot write a parameter, because the device refused an argument/,
        cause: { status: 400 },
      },
    })
  })

  it("find a node under another brand's name, and a global one in a pipeline", async () => {
    const node = await admin.get('vision-devices/device/read/getNode?pipeline=0&node=xy_camera')
    should(node.body).match({ name: 'dev_camera' })
    const services = await admin.get('vision-devices/device/read/listServices?pipeline=0&node=xy_gripper_db')
    should(services.body).containDeep([{ name: 'get_grippers' }])
    should(await admin.get('vision-devices/device/read/getParameters?pipeline=0&node=dev_gripper_db')).match({
      status: 400,
      body: { message: /is a global node/ },
    })
    should(await admin.get('vision-devices/device/read/getNode?pipeline=0&node=dev_nothing')).match({
      status: 404,
      body: { code: 'NOT_FOUND', message: /no node dev_nothing.*dev_camera/ },
    })
  })

  it('are refused if they are malformed', async () => {
    const wrong: [path: string, message: RegExp][] = [
      ['vision-devices/device/read/getEverything', /no operation getEverything/],
      ['vision-devices/device/read/constructor', /no operation constructor/],
      ['vision-devices/device/read/getLog?log=messages&limit=many', /limit/],
      ['vision-devices/device/read/getSystem?x=1', /no input named x/],
      ['vision-devices/device/read/getNode?pipeline=0', /node is missing/],
      ['vision-devices/device/read/getNode?pipeline=0&node=..', /not a usable name/],
      ['vision-devices/device/read/getNode?pipeline=9&node=dev_camera', /pipeline is not valid/],
    ]
    for (const [path, message] of wrong)
      should(await admin.get(path)).match({ status: 400, body: { code: 'INVALID_INPUT', message } })
    const path = 'vision-devices/device/call/callService'
    for (const body of [[], { input: [] }, { input: 'x' }, { deadline: '1' }, { deadline: -1 }])
      should(await admin.post(path, body)).match({ status: 400, body: { code: 'INVALID_INPUT' } })
    should(await admin.get('vision-devices/gone/read/getSystem')).match({
      status: 404,
      body: { code: 'NOT_FOUND', message: /no running device gone/ },
    })
    should(await admin.get('vision-devices/test/read/getSystem')).match({ status: 404 })
  })

  it('takes nothing that a page elsewhere may send unasked, and nothing long', async () => {
    const path = 'vision-devices/device/call/reboot'
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      should(await admin.post(path, {}, { headers: { 'content-type': type } })).match({ status: 400 })
    should(await admin.post(path, { input: { args: 'x'.repeat(1024 * 1024) } })).match({
      status: 413,
      body: { code: 'TOO_LARGE' },
    })
    bench.device
      .calls()
      .some(({ operation }) => operation === 'reboot')
      .should.be.false()
  })

  it('are not cached by any browser', async () => {
    const { headers } = await admin.get('vision-devices/device/read/getSystem')
    should(headers.get('cache-control')).equal('no-store')
  })
})
