// node walk.js NAME: runs one walk in a process, prints the executed files as JSON.
import { Session } from 'node:inspector/promises'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import RED, { type Node, type NodeMessage } from 'node-red'
import { request } from 'undici'
import { families } from '../../lib/plc/families'
import { freePorts } from '../../test/support/free-ports'
import { sinks } from '../flow-nodes/bench-sink'
import { deviceProgram, takeSingleFrames } from './device-program'
import { embeddedNodeRed } from './embedded-node-red'

const dist = join(__dirname, '..', '..')

interface Walk {
  /** Besides tab and device. */
  flow: object[]
  /** For example the same walk once, so that loading and opening do not count. */
  before: () => Promise<unknown>
  act: () => Promise<unknown>
}

const tab = { id: 'tab', type: 'tab', label: 'bench' }
const sink = (id: string) => ({ id, z: 'tab', type: 'bench-sink' })

const walks: Readonly<Record<string, (device: { url: string }) => Promise<Walk>>> = {
  'set-parameter': () => {
    const value = { parameter: 'exp_value', value: '0.01', valueType: 'num', wires: [['written']] }
    const act = () => {
      const written = arrival('written')
      nodeOf('set').receive({ payload: '' })
      return written
    }
    const node = { id: 'set', z: 'tab', type: 'vision-set-parameter', device: 'device', node: 'dev_camera' }
    return Promise.resolve({ flow: [{ ...node, ...value }, sink('written')], before: act, act })
  },

  plc: async () => {
    const [port = 0] = await freePorts(1)
    let plc: Awaited<ReturnType<typeof rawPlc>> | undefined
    const act = async () => {
      plc ??= await rawPlc(port)
      await plc.cycle()
    }
    const flow = [
      { id: 'plc', type: 'vision-plc-handshake', family: 'sequence', connection: 'server', port },
      { id: 'trigger', z: 'tab', type: 'vision-plc-trigger', handshake: 'plc', wires: [['result'], []] },
      { id: 'result', z: 'tab', type: 'vision-plc-result', wires: [[], []] },
    ]
    return { flow, before: act, act }
  },

  images: ({ url }) => {
    const act = async () => {
      let isThere = false as boolean
      const received = arrival('received').then(() => (isThere = true))
      // The stream may not be open yet.
      while (!isThere) {
        await acquire(url)
        await Promise.race([received, sleep(500)])
      }
    }
    const place = { device: 'device', pipeline: '0', pipelineType: 'str', starts: 'message' }
    const parts = { send: 'every', left: 'grey', depth: 'none', cloud: 'none', picturesAs: 'raw' }
    const node = { id: 'images', z: 'tab', type: 'vision-image-receive', wires: [['received'], []] }
    const before = () => {
      nodeOf('images').receive({ payload: 'start' })
      return act()
    }
    return Promise.resolve({ flow: [{ ...node, ...place, ...parts }, sink('received')], before, act })
  },

  calibration: async () => {
    const act = () => {
      const ended = arrival('driven')
      const message: NodeMessage & { topic: string } = { topic: 'start', payload: '' }
      nodeOf('drives-node').receive(message)
      return ended
    }
    return { flow: drivingFlow(await freePorts(8)), before: () => sleep(3000), act }
  },
}

async function walked(name: string): Promise<string[]> {
  const walk = walks[name]
  if (!walk) throw new Error(`There is no walk ${name}. There are: ${Object.keys(walks).join(', ')}.`)
  const device = await deviceProgram()
  await takeSingleFrames(device.url)
  const { flow, before, act } = await walk(device)
  const config = {
    ...{ id: 'device', type: 'vision-device-config', name: '', address: device.url },
    ...{ imagePort: device.imagePort, healthInterval: 3600 },
  }
  await embeddedNodeRed([tab, config, ...flow])
  const counter = await fileCounter()
  await before()
  await counter.begin()
  await act()
  const files = await counter.end()
  await device.stop()
  return files
}

const nodeOf = (id: string): Node => (RED.nodes as unknown as { getNode: (id: string) => Node }).getNode(id)

const arrival = (sink: string) =>
  new Promise<NodeMessage>((resolve) => {
    sinks.set(sink, resolve)
  })

async function acquire(url: string): Promise<void> {
  const service = 'pipelines/0/nodes/dev_stereomatching/services/acquisition_trigger'
  const { body } = await request(`${url}/api/v2/${service}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"args":{}}',
  })
  await body.dump()
}

/** The example with free ports, automatic confirmations, and a sink. */
function drivingFlow(ports: readonly number[]): object[] {
  const file = join(dist, '..', 'examples', 'hand-eye-robot-drives.json')
  // The arm's interfaces have fixed distances from its dashboard.
  const [api, images, dashboard = 0] = ports
  const places: Readonly<Record<string, object>> = {
    'drives-virtual': { port: api, imagePort: String(images), armPort: String(dashboard) },
    'drives-device': { address: `http://127.0.0.1:${String(api)}`, imagePort: images },
    'drives-robot': { dashboardPort: dashboard, primaryPort: dashboard + 2, rtdePort: dashboard + 5 },
    'drives-node': { wires: [['drives-person'], ['driven'], []] },
  }
  // Reading a question takes a second.
  const confirms =
    'const { request } = msg.payload; if (request) setTimeout(() => node.send({ topic: "confirm", request }), 1000)'
  return [
    ...(JSON.parse(readFileSync(file, 'utf8')) as { id: string; type: string }[])
      .filter(({ type }) => !['inject', 'debug', 'change', 'catch', 'group', 'comment'].includes(type))
      .map((each) => ({ ...each, ...places[each.id] })),
    { id: 'drives-person', z: 'tab', type: 'function', func: confirms, wires: [['drives-node']] },
    { id: 'driven', z: 'tab', type: 'bench-sink' },
  ]
}

/** A PLC of plain Modbus frames, without the package's client. */
async function rawPlc(port: number): Promise<{ cycle: () => Promise<void>; close: () => void }> {
  const address = (row: string) => families.sequence.map.find((line) => line.row === row)?.address ?? 0
  const socket = await connected(port)
  const ask = async (pdu: readonly number[]): Promise<Buffer> => {
    socket.write(Buffer.from([0, 1, 0, 0, 0, pdu.length + 1, 1, ...pdu]))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return answer
  }
  const bytes = (value: number) => [value >> 8, value & 255]
  let number = 100
  return {
    cycle: async () => {
      await ask([6, ...bytes(address('sequence')), ...bytes(++number)])
      for (;;) {
        const answer = await ask([3, ...bytes(address('sequenceEcho')), 0, 1])
        if (answer.readUInt16BE(9) === number) return
      }
    },
    close: () => socket.destroy(),
  }
}

/** The port opens after the flow has started. */
async function connected(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return socket
    } catch {
      await sleep(50)
    }
  }
}

/** Files of the package with an executed function. */
async function fileCounter() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const taken = async () => (await session.post('Profiler.takePreciseCoverage')).result
  return {
    begin: async () => void (await taken()),
    end: async () =>
      (await taken())
        .filter(({ url }) => url.startsWith('file:'))
        .filter(({ functions }) =>
          functions.some(({ functionName, ranges, isBlockCoverage }) => {
            const isWhole = functionName === '' && ranges[0]?.startOffset === 0
            return !isWhole && !isBlockCoverage && (ranges[0]?.count ?? 0) > 0
          }),
        )
        .map(({ url }) => relative(dist, fileURLToPath(url)).replaceAll(sep, '/'))
        .filter((file) => /^(lib|nodes)\//.test(file))
        .sort(),
  }
}

void walked(process.argv[2] ?? '').then((files) => {
  process.stdout.write(`${JSON.stringify(files)}\n`, () => process.exit(0))
})
