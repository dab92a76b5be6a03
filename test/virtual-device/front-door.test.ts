import should from 'should'
import { operation, operationIds } from '../../lib/contract'
import { camera, useDevice } from './support/use-device'

for (const variant of ['single', 'multi'] as const)
  describe(`the front door of the ${variant} variant`, () => {
    const api = useDevice({ variant, scenario: { boot_seconds: 0 } })

    it('lets every web page read every answer, and has none cached', async () => {
      for (const id of operationIds) {
        const { method, path } = operation(id)
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'pipeline' ? '0' : 'none'))
        const { headers } = await api.send(method, `/api/v2${filled}`)
        should(headers.get('access-control-allow-origin')).equal('*', id)
        should(headers.get('cache-control')).equal('no-store', id)
      }
    })
  })

describe('the first version of the API', () => {
  const api = useDevice()
  const v1 = (method: string, path: string) => api.send(method, `/api/v1${path}`)

  it('has every node directly below /nodes, and is deprecated', async () => {
    const { body, headers } = await v1('GET', '/nodes')
    const names = (body as { name: string }[]).map(({ name }) => name)
    names.should.containDeep(['dev_roi_db', 'dev_camera', 'dev_stereo_ins'])
    should(headers.get('deprecation')).match(/^@\d+$/)
  })

  it('answers as the second version does', async () => {
    for (const [path, now] of [
      ['/nodes/dev_camera', camera],
      ['/nodes/dev_camera/parameters', `${camera}/parameters`],
      ['/nodes/dev_camera/parameters/fps', `${camera}/parameters/fps`],
      ['/nodes/dev_camera/services', `${camera}/services`],
      ['/nodes/dev_roi_db', '/nodes/dev_roi_db'],
      ['/nodes/dev_roi_db/services', '/nodes/dev_roi_db/services'],
      ['/logs', '/logs'],
      ['/system/ntp', '/system/ntp'],
      ['/datastreams/pose', '/datastreams/pose'],
    ] as const) {
      const { status, text } = await v1('GET', path)
      status.should.equal(200)
      text.should.equal((await api.get(now)).text)
    }
    ;(await v1('PUT', '/nodes/dev_camera/parameters?fps=10')).status.should.equal(200)
    ;(await v1('PUT', '/nodes/dev_roi_db/services/get_regions_of_interest')).status.should.equal(200)
    api.device.parameter('camera', 'fps').should.equal(10)
  })

  it('has no pipelines, and refuses with the same messages', async () => {
    ;(await v1('GET', '/pipelines')).status.should.equal(404)
    ;(await v1('GET', '/pipelines/0/nodes')).status.should.equal(404)
    const { status, headers } = await v1('GET', '/nodes/dev_none')
    status.should.equal(404)
    should(headers.get('deprecation')).match(/^@/)
  })
})
