import 'should'
import { encodeUbjson } from '../../lib/codec/ubjson'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'

const unknown = Object.fromEntries(
  Array.from({ length: 16_000 }, (_, index) => [`k${index.toString(36)}`, 1]),
)

const bytes = (value: object) => new Uint8Array(encodeUbjson(value))

/** Longer than what is decoded at once. */
describe('a long request body', () => {
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0 })
  })
  after(() => device.stop())

  const put = async (body: string | Uint8Array<ArrayBuffer>, type: string) => {
    const url = `${device.url}/api/v2/pipelines/0/nodes/dev_camera/parameters/fps`
    const response = await fetch(url, { method: 'PUT', headers: { 'content-type': type }, body })
    return { status: response.status, told: (await response.json()) as { value?: unknown; message?: string } }
  }

  it('is decoded like a short one, JSON and UBJSON', async () => {
    const json = JSON.stringify({ ...unknown, value: 7 })
    ;(await put(json, 'application/json')).should.match({ status: 200, told: { value: 7 } })
    ;(await put(bytes({ ...unknown, value: 8 }), 'application/ubjson')).should.match({
      status: 200,
      told: { value: 8 },
    })
  })

  it('is refused with 400 if it cannot be decoded', async () => {
    const json = JSON.stringify(unknown)
    ;(await put(`${json}}`, 'application/json')).should.match({ status: 400, told: { message: /not JSON/ } })
    ;(
      await put(`{"a":${'['.repeat(101)}${']'.repeat(101)},${json.slice(1)}`, 'application/json')
    ).should.match({
      status: 400,
      told: { message: /not accepted: .*nested/ },
    })
    const ubjson = bytes(unknown)
    ;(await put(ubjson.subarray(0, -1), 'application/ubjson')).should.match({
      status: 400,
      told: { message: /not UBJSON/ },
    })
  })
})
