import { once } from 'node:events'
import should from 'should'
import type { Stream } from '../../lib/contract'
import type { Bench } from '../support/bench'
import { useBench } from '../support/bench'
import { eventually } from '../support/eventually'

const type = 'vision-stream-destination'
const others = '127.0.0.1:41999'

/** What the device itself reports about a stream. */
async function destinations(bench: Bench, stream = 'imu'): Promise<string[]> {
  const answer = await fetch(`${bench.device.url}/api/v2/datastreams/${stream}`)
  return ((await answer.json()) as Stream).destinations
}
async function change(bench: Bench, method: 'PUT' | 'DELETE', destination: string, stream = 'imu') {
  const path = `${bench.device.url}/api/v2/datastreams/${stream}`
  const answer = await (method === 'PUT'
    ? fetch(path, { method, body: new URLSearchParams({ destination }) })
    : fetch(`${path}?destination=${destination}`, { method }))
  should(answer.status).equal(200)
}

describe('stream-destination by message', () => {
  const bench = useBench({ type, action: 'message', stream: '', destination: '' })
  const send = (action: unknown, destination?: unknown, stream = 'imu') =>
    bench.send({ payload: 'kept only where it is not set', action, destination, stream })

  it('adds, lists, removes and clears', async () => {
    const added = await send('add', '127.0.0.1:41001')
    added.should.containEql({ stream: 'imu', destination: '127.0.0.1:41001' })
    should(added.payload).deepEqual(['127.0.0.1:41001'])
    await send('add', '127.0.0.1:41002')
    should((await send('list')).payload).deepEqual(['127.0.0.1:41001', '127.0.0.1:41002'])
    should((await send('remove', '127.0.0.1:41001')).payload).deepEqual(['127.0.0.1:41002'])
    should((await send('clear')).payload).deepEqual([])
    ;(await destinations(bench)).should.be.empty()
  })

  it('determines the local address towards the device if only a port is given', async () => {
    for (const port of [41003, '41003']) {
      ;(await send('add', port)).should.containEql({ destination: '127.0.0.1:41003' })
      ;(await send('remove', port)).should.containEql({ destination: '127.0.0.1:41003' })
    }
  })

  it('never clears because a destination is missing', async () => {
    await change(bench, 'PUT', others)
    for (const missing of [undefined, '', null])
      await send('remove', missing).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    ;(await destinations(bench)).should.deepEqual([others])
    await send('clear')
  })

  it('reports an invalid destination, action or stream', async () => {
    for (const wrong of [
      'camera.local:30000',
      '192.168.0.7',
      '0',
      '70000',
      '300.1.1.1:80',
      '127.0.0.1:41001:2',
    ])
      await send('add', wrong).should.be.rejectedWith({
        code: 'INVALID_INPUT',
        message: new RegExp(`^"${wrong}" is not a valid destination`),
      })
    await send('delete').should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /"delete".*add, remove, clear, list/,
    })
    await send(undefined).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    await send('list', '', 'poses').should.be.rejectedWith({
      code: 'NOT_FOUND',
      message: /there is no stream poses.*pose, .*imu/,
    })
  })

  it('reports that a stream has the most destinations possible', async () => {
    for (let port = 41010; port < 41020; port++) await send('add', port)
    await send('add', 41020).should.be.rejectedWith({
      code: 'FORBIDDEN',
      message: /already has the maximum number of destinations\. Remove one/,
    })
    await send('clear')
  })
})

describe('stream-destination on a device with several pipelines', () => {
  const bench = useBench({ type, action: 'list', stream: 'imu' }, { device: { variant: 'multi' } })

  it('reports that such a device has no streams', () =>
    bench.send().should.be.rejectedWith({
      code: 'NOT_FOUND',
      message: /there are no data streams\. Only single-pipeline devices/,
    }))
})

describe('stream-destination that keeps', () => {
  const kept = '127.0.0.1:42001'
  const bench = useBench({ type, action: 'keep', stream: 'imu', destination: '42001' })
  const shows = (...expected: string[]) =>
    eventually(async () => (await destinations(bench)).should.deepEqual(expected))

  it('is listed while the flow is deployed, and removed with it', async () => {
    await shows(kept)
    await bench.status('destinationKept')
    await bench.deployWithout()
    await shows()
    await bench.deploy()
    await shows(kept)
    await bench.deploy({ destination: '127.0.0.1:42002' }, 'nodes')
    await shows('127.0.0.1:42002')
    await bench.deploy({ destination: '42001' }, 'nodes')
    await shows(kept)
  })

  it('answers a message with the destinations', async () => {
    const message = await bench.send()
    should(message.payload).deepEqual([kept])
    message.should.containEql({ stream: 'imu', destination: kept })
  })

  it('is added again after a reboot and when somebody removed it', async () => {
    await change(bench, 'DELETE', kept)
    await shows(kept)
    await change(bench, 'PUT', others)
    bench.device.setScenario({ boot_seconds: 0.2, boot_502_seconds: 0.1 })
    should((await fetch(`${bench.device.url}/api/v2/system/reboot`, { method: 'PUT' })).status).equal(200)
    // The other one is not added again.
    await shows(kept)
    await bench.status('destinationKept')
  }).timeout(10_000)

  it('does not touch other destinations', async () => {
    await change(bench, 'PUT', others)
    await bench.deployWithout('nodes')
    await shows(others)
    await bench.deploy()
    await shows(others, kept)
    await change(bench, 'DELETE', others)
  })

  it('shows why it cannot be listed, reports it once, and takes the next free place', async () => {
    await bench.deployWithout('nodes')
    const ten = Array.from({ length: 10 }, (_, index) => `127.0.0.1:${43_000 + index}`)
    for (const each of ten) await change(bench, 'PUT', each)
    await bench.deploy()
    await bench.status('destinationsFull')
    for (const each of ten) await change(bench, 'DELETE', each)
    await shows(kept)
    await bench.status('destinationKept')
  }).timeout(10_000)

  it('warns on close that an absent device may continue to send', async () => {
    bench.device.setScenario({ offline: true })
    await bench.deployWithout()
    should(bench.logged(type).at(-1)).match(
      new RegExp(`^${bench.device.url}: the stream \\S+ may still go to ${kept},.*Remove it with`),
    )
    bench.device.setScenario({ offline: false })
    await bench.deploy()
    await shows(kept)
  })

  it('ends with an error if a setting is missing', async () => {
    const caught = bench.deploy({ destination: '' }).then(() => once(bench.helperNode('caught'), 'input'))
    const [message] = (await caught) as [{ error: object }]
    message.error.should.match({ code: 'INVALID_INPUT', message: /destination is empty/ })
    await bench.status('INVALID_INPUT')
  })
})
