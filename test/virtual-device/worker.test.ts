import { spawnSync } from 'node:child_process'
import should from 'should'
import { startInWorker, type DeviceInWorker } from '../../virtual-device'
import { freePorts } from '../support/free-ports'
import { camera, send } from './support/use-device'

describe('a virtual device in a thread of its own', () => {
  let device: DeviceInWorker | undefined
  const start = async (options = {}) => (device = await startInWorker({ port: 0, ...options }))
  afterEach(async () => {
    await device?.stop()
    device = undefined
  })

  it('does not load the server in the starting thread', () => {
    const entry = require.resolve('../../virtual-device')
    const loaded = `require(${JSON.stringify(entry)}); console.log(Object.keys(require.cache).join('\\n'))`
    const { stdout } = spawnSync(process.execPath, ['-e', loaded], { encoding: 'utf8' })
    stdout.should.containEql(entry)
    stdout.should.not.match(/node_modules.(fastify|@fastify)/)
  })

  it('serves the API', async () => {
    const { url, port } = await start({ variant: 'multi' })
    url.should.equal(`http://127.0.0.1:${port}`)
    ;(await send('GET', `${url}/api/v2${camera}`)).status.should.equal(200)
  })

  it('accepts a scenario, and refuses an invalid one with the reason', async () => {
    const { scenario, setScenario } = await start({ scenario: { rate_limit: 5 } })
    ;(await scenario()).rate_limit.should.equal(5)
    ;(await setScenario({ latency_ms: 1 })).should.containEql({ rate_limit: 5, latency_ms: 1 })
    await setScenario({ nothing: 1 } as object).should.be.rejectedWith({
      name: 'TypeError',
      message: /nothing/,
    })
    ;(await scenario()).latency_ms.should.equal(1)
  })

  it('reports why it does not start', async () => {
    const { port } = await start()
    await startInWorker({ port }).should.be.rejectedWith({ name: 'StartError', code: 'PORT_NOT_FREE' })
    await startInWorker({ port: -1 }).should.be.rejectedWith({ name: 'StartError', code: 'INVALID_OPTION' })
    await startInWorker({ port: 0, scenario: { nothing: 1 } as object }).should.be.rejectedWith({
      name: 'StartError',
    })
  })

  it('frees its port when it stops, and can be stopped twice', async () => {
    const [port = 0] = await freePorts(1)
    const first = await start({ port })
    const ended = new Promise<Error | undefined>((resolve) => first.onExit(resolve))
    await Promise.all([first.stop(), first.stop()])
    await first.stop()
    should(await ended).be.undefined()
    await first.scenario().should.be.rejected()
    ;(await start({ port })).port.should.equal(port)
  })
})
