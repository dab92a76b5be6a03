import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import RED, { type NodeMessage } from 'node-red'
import helper from 'node-red-node-test-helper'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { standingNodes } from '../soak/standing-nodes'
import { onTab, useBench } from '../support/bench'
import { watchEnds, type Ends } from '../support/ends'
import { eventually } from '../support/eventually'
import { listening, type Listening } from '../support/listening'
import { messageFlow } from '../support/message-nodes'
import { startMill } from '../support/mill'
import { ourNodes } from '../support/our-nodes'
import { resources, type Resources } from '../support/resources'

type DeployType = 'full' | 'flows' | 'nodes'

describe('a hundred deploys', () => {
  const bench = useBench({ type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' })

  it('leave no listeners, sockets or timers behind', async () => {
    await bench.deploy({ name: 'warm' })
    await bench.send()
    await bench.state('ready')
    const before = resources()
    for (let deploy = 0; deploy < 100; deploy++) {
      // Deploys happen at any moment: before the first check, during a call, at rest.
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

describe('a node that is moved to another device', () => {
  const bench = useBench({ type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' })

  it('leaves the old one, which continues to work', async () => {
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

/** What a node may be doing when the flows are deployed, by its id. */
const underWay: Readonly<Record<string, NodeMessage>> = {
  // The device takes seconds to read it.
  upload: { payload: { file: Buffer.alloc(3_000_000) } },
  // And is not answered: one message is in flight, and the others wait.
  unanswered: {},
  list: {
    topic: 'run',
    payload: [
      [400, 20, 500, 0, 170, 0],
      [450, 20, 500, 10, 170, 0],
    ],
  },
  restart: {},
}

/** Part by part, and never answers; notices nevertheless when the client disconnects. */
function readSlowly(socket: Socket): void {
  socket.on('data', () => {
    socket.pause()
    setTimeout(() => socket.resume(), 20)
  })
}

describe('a hundred deploys of a flow with one of every node', () => {
  let device: VirtualDevice
  let restarting: VirtualDevice
  let stuck: Listening
  let ends: Ends
  let folder: string
  const sent: { node: string; id: string }[] = []

  /** With work of their own, and with separate destinations and ports where needed. */
  const flow = (deploy: number) => [
    ...messageFlow(
      { single: device.url, multi: device.url, restarting: restarting.url, stuck: stuck.url },
      { healthInterval: 0.1, deadline: 1 },
    )
      // Node-RED's own nodes are not loaded, and a missing type would keep all flows from starting.
      .filter(({ type }) => type !== 'debug')
      .map((node) => ('z' in node ? { ...node, deploy } : node)),
    ...['imu', 'pose'].map((stream) => onDevice('stream-receive', { id: stream, stream, deploy })),
    onDevice('stream-destination', { id: 'kept', action: 'keep', destination: '127.0.0.1:30000', deploy }),
    onDevice('log-watch', { id: 'logs', start: 'now', shortest: 0.1, deploy }),
    onDevice('get-status', { id: 'looks', node: 'dev_camera', interval: 0.1, deploy }),
    onDevice('device-request', {
      id: 'upload',
      device: 'on-stuck',
      operation: 'uploadFirmware',
      input: 'payload',
      inputType: 'msg',
      confirmed: true,
      deploy,
    }),
    onDevice('get-parameter', { id: 'unanswered', device: 'on-stuck', node: 'n', parameter: 'p', deploy }),
    onDevice('hand-eye-calibration', { id: 'list', gridWidth: 260, gridHeight: 180, settling: 30, deploy }),
    onDevice('system', { id: 'restart', device: 'on-restarting', action: 'reboot', confirmed: true, deploy }),
    // Its thread takes a while to start, so it keeps running when only changed nodes are deployed.
    { id: 'other', type: 'tab', label: 'other' },
    { ...onTab, z: 'other', id: 'own-device', type: 'vision-virtual-device', port: 0, wires: [[]] },
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
  const deploy = async (count: number, type: DeployType) => {
    const started = once(RED.events, 'flows:started')
    await helper._redNodes.setFlows(flow(count), {}, type)
    await started
  }
  /** Begins what is in progress at the next deploy. */
  const begin = (count: number) => {
    for (const [node, message] of Object.entries(underWay))
      for (let each = 0; each < 3; each++) {
        const id = `${count} ${each}`
        sent.push({ node, id })
        helper.getNode(node)?.receive({ ...message, _msgid: id })
      }
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cellsight-redeploy-'))
    device = await startVirtualDevice({ port: 0 })
    restarting = await startVirtualDevice({ port: 0, scenario: { boot_seconds: 0.2, boot_502_seconds: 0.1 } })
    stuck = await listening(createServer(readSlowly))
    ends = watchEnds()
    await helper.startServer()
    helper.settings({ userDir: folder })
    await helper.load([...ourNodes], flow(0))
  })
  after(async () => {
    await helper.unload()
    await helper.stopServer()
    ends.stop()
    for (const part of [device, restarting, stuck]) await part.stop()
    helper.settings({})
    rmSync(folder, { recursive: true, force: true })
  })

  it('leaves no listener, socket, timer, UDP port, thread or file behind', async () => {
    const look = async (): Promise<Resources> => {
      await eventually(async () => void (await destinations()).should.equal(3))
      return { ...resources(), 'files of the nodes': readdirSync(folder, { recursive: true }).length }
    }
    for (let count = 1; count <= 5; count++) {
      begin(count)
      await deploy(count, 'full')
    }
    const before = await look()
    for (let count = 6; count <= 100; count++) {
      begin(count)
      // Some of it is then further than the first byte.
      if (count % 10 === 0) await look()
      await deploy(count, count % 10 === 5 ? 'full' : count % 2 ? 'flows' : 'nodes')
    }
    // What is in progress varies; what is left behind stays.
    await eventually(async () => {
      const after = await look()
      for (const kind of Object.keys(after))
        should(after[kind]).be.belowOrEqual((before[kind] ?? 0) + 8, kind)
    })
  })

  // In a process without the helper, which keeps what it has seen of every node.
  it('retain no memory', async () => {
    const places = { single: device.url, multi: device.url }
    const flows = Array.from({ length: 40 }, (_, deploy) =>
      [...messageFlow(places, { healthInterval: 0.1 }), ...standingNodes('on-single')].map((node) =>
        'z' in node ? { ...node, deploy } : node,
      ),
    )
    const mill = await startMill(flows[0] ?? [])
    try {
      const before = await mill.deploy(flows)
      const after = await mill.deploy(flows)
      ;(after.heap / before.heap).should.be.below(1.05)
      ;(after.external / before.external).should.be.below(1.05)
    } finally {
      await mill.stop()
    }
  })

  it('end every message in progress or waiting once', () => {
    for (const { node, id } of sent) {
      const { done, errors } = ends.of(node, id)
      ;(done + errors.length).should.equal(1, `${node} ${id}`)
    }
    sent.length.should.equal(3 * 100 * Object.keys(underWay).length)
  })

  /** Those of both receivers and the kept one; destinations of an earlier deploy would be too many. */
  const destinations = async () => {
    const answer = await fetch(`${device.url}/api/v2/datastreams`)
    const streams = (await answer.json()) as { destinations: string[] }[]
    return streams.reduce((sum, stream) => sum + stream.destinations.length, 0)
  }
})
