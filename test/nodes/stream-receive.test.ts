import { once } from 'node:events'
import type { NodeMessage } from 'node-red'
import should from 'should'
import { encodeMessage, type Frame, type Imu } from '../../lib/codec/streams'
import type { Stream } from '../../lib/contract'
import { onTab, useBench, type Bench } from '../support/bench'
import { openInbox } from '../support/datagrams'
import { eventually } from '../support/eventually'

const type = 'vision-stream-receive'
const deploys = process.env.CELLSIGHT_LONG ? 500 : 30

async function destinations(bench: Bench, stream = 'imu'): Promise<string[]> {
  const answer = await fetch(`${bench.device.url}/api/v2/datastreams/${stream}`)
  return ((await answer.json()) as Stream).destinations
}
async function put(bench: Bench, path: string) {
  should((await fetch(`${bench.device.url}/api/v2/${path}`, { method: 'PUT' })).status).equal(200)
}
/** A port on which nobody listens at the moment. */
async function freePort(): Promise<number> {
  const { port, close } = await openInbox()
  await close()
  return port
}

interface StreamMessage<Payload> {
  topic: string
  payload: Payload
  timestamp: number
}

/** The next messages of an output. */
async function next<Payload>(bench: Bench, count: number, output = 0): Promise<StreamMessage<Payload>[]> {
  const messages: StreamMessage<Payload>[] = []
  while (messages.length < count) {
    const [message] = (await once(bench.helperNode(`out${output}`), 'input')) as [StreamMessage<Payload>]
    messages.push(message)
  }
  return messages
}
const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length

describe('stream-receive', () => {
  const bench = useBench({ type, stream: 'imu', statistics: 0.1 })

  it('needs only a device: it lists itself and sends every message, with plain numbers', async () => {
    const messages = await next<Imu>(bench, 40)
    for (const [index, { topic, payload, timestamp }] of messages.entries()) {
      topic.should.equal('imu')
      Object.keys(payload).should.deepEqual(['timestamp', 'linear_acceleration', 'angular_velocity'])
      for (const vector of [payload.linear_acceleration, payload.angular_velocity])
        Object.values(vector ?? {})
          .every(Number.isFinite)
          .should.be.true()
      const before = messages[index - 1]
      // A device that pauses skips messages.
      const steps = before ? (timestamp - before.timestamp) / 0.005 : 1
      steps.should.be.approximately(Math.max(1, Math.round(steps)), 1e-3)
    }
    const force = messages[0]?.payload.linear_acceleration
    Math.hypot(force?.x ?? 0, force?.y ?? 0, force?.z ?? 0).should.be.within(8, 12)
  })

  it('shows the rate', () => eventually(() => bench.status('receiving')))

  it('sends statistics to the second output', async () => {
    await eventually(async () => {
      const [message] = await next<Record<string, number | string>>(bench, 1, 1)
      should(message?.topic).equal('imu')
      const { rate, jitter, messages } = message?.payload ?? {}
      should(rate).be.approximately(200, 20)
      should(jitter).be.within(0, 0.05)
      should(messages).be.above(20)
      message?.payload.should.containEql({ gaps: 0, lost: 0, foreign: 0, garbage: 0, skipped: 0 })
      should(message?.payload['destination']).equal((await destinations(bench))[0])
    })
  })

  it('counts what it cannot read, and continues', async () => {
    const [destination = ''] = await destinations(bench)
    const stranger = await openInbox()
    const port = Number(destination.split(':')[1])
    await stranger.send('no message', { port })
    await stranger.send(encodeMessage('Imu', { timestamp: { sec: 1, nsec: 0 } }).subarray(0, 3), { port })
    await stranger.close()
    await eventually(async () => {
      const [message] = await next<object>(bench, 1, 1)
      message?.payload.should.containEql({ garbage: 1, truncated: 1 })
    })
    await next(bench, 3)
  })

  it('adds its destination again when somebody removed it', async () => {
    const [destination = ''] = await destinations(bench)
    await fetch(`${bench.device.url}/api/v2/datastreams/imu`, { method: 'DELETE' })
    await eventually(async () => (await destinations(bench)).should.deepEqual([destination]))
    await next(bench, 3)
  })

  it('continues after the device has restarted', async () => {
    bench.device.setScenario({ boot_seconds: 0.2, boot_502_seconds: 0.1 })
    await put(bench, 'system/reboot')
    await bench.status('receiving')
    await eventually(async () => (await destinations(bench)).length.should.equal(1))
    await next(bench, 3)
  }).timeout(10_000)

  it('sends at most so many per second, always the newest', async () => {
    await bench.deploy({ output: 'rate', rate: 20 })
    const began = performance.now()
    const messages = await next<Imu>(bench, 11)
    ;(performance.now() - began).should.be.above(490)
    // A busy machine receives several at once, so only their order is certain.
    for (const [index, { timestamp }] of messages.slice(1).entries())
      timestamp.should.be.above(messages[index]?.timestamp ?? Infinity)
    await eventually(async () => {
      const [message] = await next<{ skipped: number }>(bench, 1, 1)
      should(message?.payload.skipped).be.above(20)
    })
  })

  it('sends batches by count and by time', async () => {
    await bench.deploy({ output: 'batch', count: 25, seconds: '' })
    for (const { payload, timestamp } of await next<Imu[]>(bench, 2)) {
      payload.length.should.equal(25)
      const { sec = 0, nsec = 0 } = payload.at(-1)?.timestamp ?? {}
      timestamp.should.be.approximately(Number(sec) + nsec / 1e9, 1e-6)
    }
    await bench.deploy({ output: 'batch', count: '', seconds: 0.1 })
    await next(bench, 1)
    // Twenty; a busy machine is late with some, and then sends more at once.
    for (const { payload } of await next<Imu[]>(bench, 2)) payload.length.should.be.within(5, 400)
    await bench.deploy({ output: 'every', count: '', seconds: 1 })
  })

  it('names a missing stream, and the available ones', async () => {
    const caught = bench.deploy({ stream: 'poses' }).then(() => once(bench.helperNode('caught'), 'input'))
    const [message] = (await caught) as [{ error: object }]
    message.error.should.match({ code: 'NOT_FOUND', message: /there is no stream poses.*pose_rt/ })
    await bench.status('notOnDevice')
    await bench.deploy({ stream: 'imu' })
    await next(bench, 1)
  })

  it('leaves no socket and no destination behind, however often and in whatever way it is deployed', async () => {
    await bench.deployWithout()
    const before = sockets()
    for (let deploy = 0; deploy < deploys; deploy++) {
      const how = deploy % 2 ? 'nodes' : 'full'
      await bench.deploy({ name: `deploy ${deploy}` }, how)
      // Deploys happen at any moment: before it listens, before it is listed, while data flows.
      if (deploy % 3 === 1) await eventually(async () => (await destinations(bench)).length.should.equal(1))
      if (deploy % 3 === 2) await next(bench, 2)
    }
    await bench.deployWithout()
    ;(await destinations(bench)).should.be.empty()
    await eventually(() => sockets().should.be.belowOrEqual(before))
  }).timeout(20_000 + 200 * deploys)
})

describe('stream-receive on a stream that the device estimates', () => {
  const bench = useBench({ type, stream: 'pose_rt' })

  it('reports that its module is not running, and sends the poses once it is', async () => {
    await bench.status('dynamicsStopped')
    await put(bench, 'pipelines/0/nodes/dev_dynamics/services/start')
    const [message] = await next<Frame>(bench, 1)
    const { pose, parent, name } = message?.payload ?? {}
    should({ parent, name }).deepEqual({ parent: 'world', name: 'camera' })
    Object.keys(pose?.pose?.position ?? {}).should.deepEqual(['x', 'y', 'z'])
    Object.keys(pose?.pose?.orientation ?? {})
      .sort()
      .should.deepEqual(['w', 'x', 'y', 'z'])
    await bench.status('receiving')
  }).timeout(15_000)
})

describe('several nodes on one port', () => {
  const first = { type, stream: 'imu', port: 0 }
  const second = { ...first, ...onTab, id: 'second', device: 'device', destination: 'none' }
  before(async () => {
    first.port = second.port = await freePort()
  })
  const bench = useBench(first, {
    flow: [
      Object.assign(second, { wires: [['second out'], []] }),
      { ...onTab, id: 'second out', type: 'helper', wires: [] },
    ],
  })

  it('all receive what arrives there', async () => {
    const second = once(bench.helperNode('second out'), 'input')
    const [message] = await next<Imu>(bench, 1)
    message?.topic.should.equal('imu')
    const [other] = (await second) as [NodeMessage]
    should(other.payload).have.property('linear_acceleration')
    ;(await destinations(bench)).should.deepEqual([`127.0.0.1:${first.port}`])
  })
})

describe('stream-receive that does not list itself', () => {
  const fields = { type, stream: 'imu', port: 0, address: '127.0.0.1', destination: 'none', statistics: 0.1 }
  let port = 0
  before(async () => {
    port = fields.port = await freePort()
  })
  const bench = useBench(fields)
  const message = encodeMessage('Imu', { timestamp: { sec: 5, nsec: 0 }, angular_velocity: { x: 1 } })
  const lastStatistics = () =>
    eventually(async () => (await next<{ foreign: number }>(bench, 1, 1))[0]?.payload)

  it('reports that nobody lists it, and receives once somebody does', async () => {
    await bench.status('notListed')
    const path = `${bench.device.url}/api/v2/datastreams/imu`
    await fetch(path, { method: 'PUT', body: new URLSearchParams({ destination: `127.0.0.1:${port}` }) })
    await next(bench, 3)
    await fetch(path, { method: 'DELETE' })
    await bench.deploy()
  }).timeout(10_000)

  it('drops datagrams of other hosts, and reports it', async () => {
    const stranger = await openInbox('127.0.0.2')
    await lastStatistics()
    await stranger.send(message, { port })
    await eventually(async () => should((await lastStatistics())?.foreign).equal(1))
    await bench.deploy({ from: 'hosts', hosts: '192.0.2.1, 127.0.0.2' })
    await lastStatistics()
    const taken = next<Imu>(bench, 1)
    await stranger.send(message, { port })
    should((await taken)[0]?.payload.angular_velocity).deepEqual({ x: 1 })
    await bench.deploy({ from: 'all', hosts: '' })
    await lastStatistics()
    const takenFromAll = next<Imu>(bench, 1)
    await stranger.send(message, { port })
    should((await takenFromAll)[0]?.timestamp).equal(5)
    await stranger.close()
  })

  it('reports losses in the status', async () => {
    const sender = await openInbox()
    const send = (nsec: number) =>
      sender.send(encodeMessage('Imu', { timestamp: { sec: 6, nsec: nsec * 5e6 } }), { port })
    for (let index = 0; index < 40; index++) if (index < 10 || index > 20) await send(index)
    await bench.status('losing')
    await sender.close()
  })

  it('reports that the port is in use, and takes it when it becomes free', async () => {
    const holder = await openInbox()
    const caught = bench.deploy({ port: holder.port }).then(() => once(bench.helperNode('caught'), 'input'))
    const [{ error }] = (await caught) as [{ error: object }]
    error.should.match({ code: 'INVALID_INPUT', message: /^Cannot listen on port \d+ of 127\.0\.0\.1/ })
    await bench.status('INVALID_INPUT')
    await holder.close()
    await bench.status('awaitingData')
  })
})

describe('stream-receive on a machine with several networks', () => {
  // This stream has no messages before the dynamics module runs.
  const bench = useBench({ type, stream: 'pose' })

  it('moves to the address at which the device is reached now, and leaves nothing behind', async () => {
    const [before = ''] = await eventually(async () => {
      const listed = await destinations(bench, 'pose')
      listed.should.have.length(1)
      return listed
    })
    before.should.startWith('127.0.0.1:')
    // From now on, the device's name leads to another network.
    const { client } = bench.config.device.connection
    Object.defineProperty(client, 'address', { value: 'http://[::1]' })

    const [after = ''] = await eventually(async () => {
      const listed = await destinations(bench, 'pose')
      listed.filter((each) => each.startsWith('[::1]:')).should.have.length(1)
      listed.should.have.length(1)
      return listed
    })
    const port = Number(after.split(':').at(-1))
    const sender = await openInbox('::1')
    const bytes = encodeMessage('Frame', { pose: { timestamp: { sec: 1, nsec: 0 } }, name: 'camera' })
    const arrived = next<Frame>(bench, 1)
    await sender.send(bytes, { host: '::1', port })
    const [message] = await arrived
    should(message).match({ topic: 'pose', timestamp: 1 })
    await sender.close()
  })
})
