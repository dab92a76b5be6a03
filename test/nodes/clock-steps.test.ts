import { once } from 'node:events'
import type { NodeMessage } from 'node-red'
import should from 'should'
import { createClient } from '../../lib'
import { KnownNodes } from '../../nodes/device/known-nodes'
import { startInWorker, type DeviceInWorker } from '../../virtual-device/thread/start-in-worker'
import { fps } from '../client/use-server'
import { onTab, useBench } from '../support/bench'
import { eventually } from '../support/eventually'
import { json, silence, startMisbehavingServer, type MisbehavingServer } from '../support/misbehaving-server'

const hour = 3_600_000
const trueNow = Date.now.bind(Date)

/** Somebody changes the clock of this computer all the time: by an hour, to and fro, at each reading. */
function unsteadyClock(): void {
  let looks = 0
  Date.now = () => trueNow() + (looks++ % 2 ? hour : -hour)
}
const steadyClock = () => void (Date.now = trueNow)

describe('nodes on a computer whose clock is changed', () => {
  const places = { streams: '', stuck: '' }
  let device: DeviceInWorker
  let stuck: MisbehavingServer
  before(async () => {
    // In a thread of its own, whose clock is not changed.
    device = await startInWorker({ port: 0 })
    stuck = await startMisbehavingServer()
    stuck.behave(silence)
    places.streams = device.url
    places.stuck = stuck.url
  })
  const config = (id: 'streams' | 'stuck') => ({
    id,
    type: 'vision-device-config',
    name: '',
    deadline: 0.4,
    get address() {
      return places[id]
    },
  })
  const bench = useBench(
    { type: 'vision-get-status', what: 'system', which: 'all', interval: 0.1 },
    {
      flow: [
        config('streams'),
        config('stuck'),
        {
          ...onTab,
          id: 'imu',
          type: 'vision-stream-receive',
          device: 'streams',
          stream: 'imu',
          statistics: 0.25,
          wires: [[], ['statistics']],
        },
        { ...onTab, id: 'statistics', type: 'helper', wires: [] },
        {
          ...onTab,
          id: 'unanswered',
          type: 'vision-get-parameter',
          device: 'stuck',
          node: 'dev_camera',
          parameter: 'fps',
          wires: [['out1']],
        },
      ],
    },
  )
  afterEach(steadyClock)
  after(async () => {
    await device.stop()
    await stuck.stop()
  })

  it('check as often as configured, and no more', async () => {
    await bench.state('ready')
    unsteadyClock()
    const began = performance.now()
    for (let look = 0; look < 8; look++) await once(bench.helperNode('out0'), 'input')
    ;(performance.now() - began).should.be.within(400, 20_000)
  })

  it('measure a stream as if nothing had happened', async () => {
    const statistics = bench.helperNode('statistics')
    await eventually(async () => {
      const [{ payload }] = (await once(statistics, 'input')) as [NodeMessage]
      should(payload).have.property('messages').above(10)
    })
    unsteadyClock()
    for (let report = 0; report < 3; report++) {
      const [{ payload }] = (await once(statistics, 'input')) as [{ payload: Record<string, number> }]
      should(payload['pauses']).equal(0)
      should(payload['rate']).be.above(10)
      should(payload['jitter']).be.within(0, 1)
      should(payload['silence']).be.within(0, 2)
    }
  })

  it('keep their deadlines', async () => {
    unsteadyClock()
    const began = performance.now()
    const caught = once(bench.helperNode('caught'), 'input')
    bench.helperNode('unanswered').receive({})
    const [message] = (await caught) as [NodeMessage]
    should(message['error']).have.property('code', 'TIMEOUT')
    ;(performance.now() - began).should.be.within(350, 20_000)
  })

  it('notice at once that the device is gone', async () => {
    await bench.state('ready')
    unsteadyClock()
    bench.device.setScenario({ offline: true })
    await bench.state('unreachable')
    bench.device.setScenario({ offline: false })
    await bench.state('ready')
  })
})

describe('the requested names of a device', () => {
  it('are requested again after a moment, although the clock was set back meanwhile', async () => {
    const server = await startMisbehavingServer()
    const client = createClient({ address: server.url, retries: 0 })
    const names: string[] = []
    server.behave((response, request) => {
      const { url } = request
      if (url.endsWith('/nodes')) {
        const nodes = names.map((name) => ({ name, parameters: [], services: [], status: 'running' }))
        json(url.includes('pipelines') ? nodes : [])(response, request)
      } else if (url.includes('xy_camera')) json(fps())(response, request)
      else json({ message: 'no such node' }, 404)(response, request)
    })
    const known = new KnownNodes(client)
    const { signal } = new AbortController()
    const ask = () =>
      known.call({ pipeline: '0', node: 'dev_camera', signal }, ({ node }) =>
        client.getParameter({ pipeline: '0', node, param: 'fps' }),
      )
    try {
      await ask().should.be.rejectedWith({ code: 'NOT_FOUND' })
      names.push('xy_camera', 'xy_stereo')
      Date.now = () => trueNow() - hour
      const end = performance.now() + 5000
      let found: unknown
      while (!found && performance.now() < end) found = await ask().catch(() => undefined)
      should(found).eql(fps())
    } finally {
      steadyClock()
      await client.close()
      await server.stop()
    }
  })
})
