import should from 'should'
import { useAdmin } from '../support/admin'
import { useBench } from '../support/bench'
import { json, silence, startMisbehavingServer, type MisbehavingServer } from '../support/misbehaving-server'

const fps = { name: 'fps', type: 'float64', value: 25, default: 25, min: 1, max: 25, description: '' }
const flowReads = { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' }

describe('the editor beside the flow', () => {
  const config = { address: '', concurrency: 4, healthInterval: 3600 }
  let server: MisbehavingServer
  before(async () => {
    server = await startMisbehavingServer()
    server.behave((response, request) => {
      const answer = request.url.includes('/logs') ? silence : json(fps)
      answer(response, request)
    })
    config.address = server.url
  })
  const bench = useBench(flowReads, { config })
  const admin = useAdmin()
  after(() => server.stop())

  it('does not delay calls of the flow, and drops requests of disconnected readers', async () => {
    const gone = new AbortController()
    const before = server.received.length
    const asked = Array.from({ length: 12 }, () =>
      admin.get('vision-devices/device/read/listLogs', {}, gone.signal),
    )
    const ended = Promise.allSettled(asked)
    await server.arrived(before + 2)
    should((await bench.send()).payload).equal(25)
    server.received.filter(({ url }) => url.includes('/logs')).length.should.equal(2)
    gone.abort()
    await ended
    should(await admin.get('vision-devices/device/read/getParameter?pipeline=0&node=n&param=fps')).match({
      status: 200,
    })
  })

  it('leaves no connection to a device that is no longer deployed', async () => {
    await admin.get('vision-devices/device/read/getTime')
    server.open().should.be.above(0)
    config.address = 'http://127.0.0.1:9'
    await bench.deploy()
    await server.deserted()
  })
})
