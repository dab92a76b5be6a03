import should from 'should'
import { Pool } from 'undici'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { seededRandom } from '../../virtual-device/values'

const base = '/api/v2'
const parameter = `${base}/pipelines/0/nodes/dev_camera/parameters/fps`
const service = `${base}/nodes/dev_roi_db/services/set_region_of_interest`
const json = { 'content-type': 'application/json' }
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

type Request = Omit<Parameters<Pool['request']>[0], 'origin'>

/** Kinds of hostile requests; `noise` makes each one different. */
const kinds: ((noise: (length: number) => string) => Request)[] = [
  (noise) => ({ method: 'PUT', path: parameter, headers: json, body: noise(300) }),
  (noise) => ({ method: 'PUT', path: parameter, headers: json, body: `{"value":"${noise(200)}"}` }),
  () => ({ method: 'PUT', path: parameter, headers: json, body: deep(5000) }),
  () => ({ method: 'PUT', path: parameter, headers: json, body: '{"value":1e999}' }),
  () => ({ method: 'PUT', path: service, headers: json, body: '{"args":{"__proto__":{"polluted":1}}}' }),
  () => ({
    method: 'PUT',
    path: service,
    headers: json,
    body: `{"args":{"region_of_interest":${deep(900)}}}`,
  }),
  (noise) => ({ method: 'PUT', path: parameter, headers: { 'content-type': `x/${noise(20)}` }, body: 'a' }),
  () => ({
    method: 'PUT',
    path: parameter,
    headers: { 'content-type': 'application/ubjson' },
    body: Buffer.from('[$T#l\x7f\xff\xff\xff', 'latin1'),
  }),
  (noise) => ({
    method: 'PUT',
    path: parameter,
    headers: { 'content-type': 'application/ubjson' },
    body: Buffer.from(noise(100), 'latin1'),
  }),
  (noise) => ({ method: 'GET', path: `${base}/nodes/${noise(100)}` }),
  (noise) => ({ method: 'GET', path: `${base}/logs/api.log?limit=${noise(30)}&format=${noise(10)}` }),
  () => ({ method: 'GET', path: `${base}/%2e%2e/%2e%2e/etc/passwd` }),
  () => ({
    method: 'GET',
    path: `${base}/pipelines/0/nodes?${'name=a&'.repeat(500)}`,
    headers: { accept: ',;q=,' },
  }),
  (noise) => ({
    method: 'POST',
    path: `${base}/system/update`,
    headers: { 'content-type': `multipart/form-data; boundary=${noise(10)}` },
    body: noise(500),
  }),
  (noise) => ({ method: 'PUT', path: '/virtual/scenario', headers: json, body: `{"${noise(10)}":1}` }),
]

describe('ten thousand hostile requests', () => {
  let device: VirtualDevice
  let pool: Pool

  before(async () => {
    device = await startVirtualDevice({ port: 0 })
    pool = new Pool(device.url, { connections: 8 })
  })
  after(async () => {
    await pool.close()
    await device.stop()
  })

  it('each get a clear answer, and do not increase memory', async () => {
    const random = seededRandom(7)
    const noise = (length: number) =>
      Array.from({ length }, () => 'abc012{}[]",:-_.~'.charAt(random() * 17)).join('')
    const statuses = new Map<number, number>()

    const send = async (count: number) => {
      let left = count
      const worker = async () => {
        while (left-- > 0) {
          const kind = kinds[left % kinds.length]
          if (!kind) continue
          const request = kind((length) => encodeURIComponent(noise(length)))
          const { statusCode, body } = await pool.request(request)
          await body.dump()
          statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
        }
      }
      await Promise.all(Array.from({ length: 8 }, worker))
    }

    // Bounded lists, such as those of calls and logs, fill up first.
    await send(10_000)
    const before = heapInUse()
    statuses.clear()
    await send(10_000)
    const grown = heapInUse() - before

    should(grown).be.below(2 * 1024 * 1024)
    should([...statuses.values()].reduce((sum, count) => sum + count)).equal(10_000)
    for (const status of statuses.keys()) [200, 400, 404, 413, 415].should.containEql(status)
    should(({} as Record<string, unknown>)['polluted']).be.undefined()
    const { statusCode } = await pool.request({ method: 'GET', path: parameter })
    statusCode.should.equal(200)
  })
})

/** Bytes in use after garbage collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
