import should from 'should'
import { manualClock } from '../../virtual-device'
import { camera, useDevice } from './support/use-device'

const fps = `${camera}/parameters/fps`

describe('faults of the virtual device', () => {
  const clock = manualClock()
  const api = useDevice({ clock })
  const write = () => api.put(fps, { json: { value: 10 } })

  it('delay every answer', async () => {
    api.device.setScenario({ latency_ms: 40, latency_jitter_ms: 5 })
    const started = performance.now()
    await api.get('/nodes')
    await api.get('/nothing')
    should(performance.now() - started).be.aboveOrEqual(79)
  })

  it('reset connections before the request is handled', async () => {
    api.device.setScenario({ drop_connections: 1 })
    await write().should.be.rejected()
    api.device.parameter('camera', 'fps').should.equal(25)
    api.device.calls().length.should.equal(0)
  })

  it('drop answers after the request was executed', async () => {
    api.device.setScenario({ drop_answers: 1 })
    await write().should.be.rejected()
    api.device.parameter('camera', 'fps').should.equal(10)
    api.device.calls().length.should.equal(1)
  })

  it('affect a share of the requests, the same for the same seed', async () => {
    api.device.setScenario({ drop_connections: 0.5 })
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () =>
        api.get(fps).then(
          () => 1,
          () => 0,
        ),
      ),
    )
    const handled = outcomes.reduce<number>((sum, one) => sum + one, 0)
    handled.should.be.within(15, 45)
  })

  it('answer 429 with Retry-After above the rate, until the time has passed', async () => {
    api.device.setScenario({ rate_limit: 2 })
    const statuses = async (count: number) => {
      const got = []
      for (let index = 0; index < count; index++) got.push((await api.get(fps)).status)
      return got
    }
    ;(await statuses(3)).should.eql([200, 200, 429])
    const { headers, body } = await api.get(fps)
    should(headers.get('retry-after')).equal('1')
    should(body).have.property('message', 'request frequency too high')
    clock.advance(0.5)
    ;(await statuses(2)).should.eql([200, 429])
    clock.advance(60)
    ;(await statuses(3)).should.eql([200, 200, 429])
    api.device.setScenario({ rate_limit: 0.1 })
    should((await api.get(fps)).headers.get('retry-after')).equal('10')
  })

  it('take the API offline, but not the scenario', async () => {
    await api.get(fps)
    api.device.setScenario({ offline: true })
    await api.get(fps).should.be.rejected()
    await api.send('GET', '/api/').should.be.rejected()
    const put = await api.send('PUT', '/virtual/scenario', { json: { offline: false } })
    put.status.should.equal(200)
    ;(await api.get(fps)).status.should.equal(200)
  })

  it('disconnect clients that wait for an answer when the device goes offline', async () => {
    api.device.setScenario({ latency_ms: 30 })
    const waiting = api.get(fps)
    const cut = waiting.should.be.rejected()
    while (!api.device.calls().length) await new Promise(setImmediate)
    api.device.setScenario({ offline: true })
    await cut
  })

  it('follow a reboot: no answer, then 502, then not ready, then ready', async () => {
    api.device.setScenario({ boot_seconds: 4, boot_502_seconds: 2 })
    await api.put(`${camera}/parameters?fps=10`)
    ;(await api.put('/system/reboot')).status.should.equal(200)
    await api.get('/system').should.be.rejected()
    clock.advance(0.6)
    ;(await api.get('/system')).status.should.equal(502)
    clock.advance(2)
    should((await api.get('/system')).body).have.property('ready', false)
    clock.advance(1.4)
    should((await api.get('/system')).body).containEql({ ready: true, uptime: 4 })
    api.device.parameter('camera', 'fps').should.equal(10)
  })
})
