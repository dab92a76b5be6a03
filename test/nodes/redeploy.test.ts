import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import RED from 'node-red'
import helper from 'node-red-node-test-helper'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { onTab, useBench } from '../support/bench'
import { eventually } from '../support/eventually'
import { messageFlow } from '../support/message-nodes'
import { ourNodes } from '../support/our-nodes'

describe('a hundred deploys', () => {
  const bench = useBench({ type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' })

  it('leave no listeners, sockets or timers behind', async () => {
    await bench.deploy({ name: 'warm' })
    await bench.send()
    await bench.state('ready')
    const before = resources()
    for (let deploy = 0; deploy < 100; deploy++) {
      // Deploys come at every moment: before the first check, during a call, in peace.
      if (deploy % 3 === 0) void bench.send().catch(() => undefined)
      if (deploy % 3 === 1) await bench.state('ready')
      await bench.deploy({ name: `deploy ${deploy}` })
    }
    await bench.send()
    await bench.state('ready')
    const after = resources()
    for (const kind of Object.keys(after)) should(after[kind]).be.belowOrEqual((before[kind] ?? 0) + 4, kind)
    Object.keys(bench.config.users).should.eql(['test'])
  }).timeout(20_000)
})

describe('a node that is given another device', () => {
  const bench = useBench({ type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' })

  it('leaves the old one, which goes on', async () => {
    await bench.state('ready')
    const { device } = bench.config
    Object.keys(bench.config.users).should.eql(['test'])
    await bench.deploy({ device: '' }, 'nodes')
    Object.keys(bench.config.users).should.eql([])
    bench.config.device.should.equal(device)
    await bench.deploy({ device: 'device' }, 'nodes')
    should((await bench.send()).payload).equal(25)
  })
})

/** What keeps this process busy, by kind; both ends of a connection are in it here. */
function resources(): Record<string, number> {
  const count: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) count[kind] = (count[kind] ?? 0) + 1
  for (const event of ['exit', 'beforeExit', 'warning']) count[`on ${event}`] = process.listenerCount(event)
  return count
}

describe('a hundred deploys of a flow with one of every node', function () {
  this.timeout(120_000)
  let device: VirtualDevice
  let folder: string

  /** With their own work, and with destinations and a port of their own where they need them. */
  const flow = (deploy: number) => [
    ...messageFlow({ single: device.url, multi: device.url }, { healthInterval: 0.1, deadline: 1 }).filter(
      // Node-RED's own nodes are not there; a missing type would keep all flows from running.
      ({ type }) => type !== 'debug',
    ),
    ...['imu', 'pose'].map((stream) =>
      onDevice('stream-receive', { id: stream, stream, streamType: 'str', deploy }),
    ),
    onDevice('stream-destination', { id: 'kept', action: 'keep', destination: '127.0.0.1:30000', deploy }),
    onDevice('log-watch', { id: 'logs', start: 'now', shortest: 0.1, deploy }),
  ]
  const onDevice = (name: string, fields: object) => ({
    ...onTab,
    type: `vision-${name}`,
    device: 'on-single',
    streamType: 'str',
    destinationType: 'str',
    wires: [[], []],
    ...fields,
  })
  const deploy = async (count: number) => {
    const started = once(RED.events, 'flows:started')
    await helper._redNodes.setFlows(flow(count), {}, 'full')
    await started
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cellsight-redeploy-'))
    device = await startVirtualDevice({ port: 0 })
    await helper.startServer()
    helper.settings({ userDir: folder })
    await helper.load([...ourNodes], flow(0))
  })
  after(async () => {
    await helper.unload()
    await helper.stopServer()
    await device.stop()
    helper.settings({})
    rmSync(folder, { recursive: true, force: true })
  })

  it('leaves no listener, socket, timer or UDP port behind', async () => {
    const look = async () => {
      await eventually(async () => void (await destinations()).should.equal(3))
      return resources()
    }
    await deploy(1)
    const before = await look()
    for (let count = 2; count <= 100; count++) {
      if (count % 10 === 0) await look()
      await deploy(count)
    }
    const after = await look()
    for (const kind of Object.keys(after)) should(after[kind]).be.belowOrEqual((before[kind] ?? 0) + 8, kind)
  })

  /** Those of both receivers and the kept one; an earlier deploy's would be too many. */
  const destinations = async () => {
    const answer = await fetch(`${device.url}/api/v2/datastreams`)
    const streams = (await answer.json()) as { destinations: string[] }[]
    return streams.reduce((sum, stream) => sum + stream.destinations.length, 0)
  }
})
