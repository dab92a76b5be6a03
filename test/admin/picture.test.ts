import should from 'should'
import { useAdmin } from '../support/admin'
import { useBench } from '../support/bench'
import { eventually } from '../support/eventually'

describe('the route of the picture of a camera', () => {
  const fields = { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' }
  const bench = useBench(fields, { device: { imagePort: 0 } })
  const admin = useAdmin()
  const get = (query: string, headers?: Record<string, string>) =>
    admin.get(`vision-devices/device/picture?${query}`, headers)
  const known = (headers: Headers) =>
    JSON.parse(headers.get('x-vision-picture') ?? '') as Record<string, number>

  it('gives a PNG file with what is known of it', async () => {
    const { status, headers, body } = await get('pipeline=0&part=left')
    should(status).equal(200)
    should(headers.get('content-type')).equal('image/png')
    should(headers.get('cache-control')).equal('no-store')
    should(String(body)).match(/^.PNG[^]*IEND/)
    should(known(headers)).have.properties({ width: 1280, height: 960 })
    should(known(headers)).have.keys('takenAt', 'receivedAt', 'camera')
  })

  it('gives only a newer one than the viewer has', async () => {
    const first = known((await get('part=left')).headers)
    const next = known((await get(`part=left&after=${first['receivedAt']}`)).headers)
    should(next['receivedAt']).be.above(first['receivedAt'] ?? Infinity)
    const { body } = await get(`part=left&after=${Date.now() + 1_000_000}`)
    should(body).have.keys('since')
  })

  it('needs no node that uses the device, and never changes or calls anything', async () => {
    await bench.deployWithout()
    const before = bench.device.calls().length
    should((await get('part=depth')).status).equal(200)
    const operations = bench.device.calls().slice(before)
    should(operations.filter(({ operation }) => !operation.startsWith('get'))).eql([])
    await bench.deploy()
  })

  it('says what is wrong with the question, in the language of the editor', async () => {
    should(await get('part=right')).match({ status: 400, body: { code: 'INVALID_INPUT' } })
    should(await get('part=left&after=soon')).match({ status: 400, body: { code: 'INVALID_INPUT' } })
    const { body } = await get('pipeline=-1', { 'accept-language': 'de' })
    should(body).match({ code: 'INVALID_INPUT', message: /^Pipeline -1 hat keine Bilder/ })
    const other = await admin.get('vision-devices/other/picture')
    should(other).match({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  it('says that a licence is missing, and has the picture as soon as it is there', async () => {
    bench.device.setScenario({ license: { stereo: false } })
    await eventually(async () =>
      should(await get('part=confidence')).match({ status: 409, body: { message: /licence is missing/ } }),
    )
    bench.device.setScenario({ license: { stereo: true } })
    await eventually(async () => should((await get('part=confidence')).status).equal(200))
  })

  it('leaves no stream behind a deploy', async () => {
    should((await get('part=left')).status).equal(200)
    await bench.deploy()
    should((await get('part=left')).status).equal(200)
  })
})
