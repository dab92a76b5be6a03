import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeMessage } from 'node-red'
import helper from 'node-red-node-test-helper'
import should from 'should'
import { errorCodes } from '../../lib/contract'
import type { VisionResult } from '../../nodes/shared/outcome'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { onTab } from '../support/bench'
import { nodeNames } from '../support/dialog-source'
import { ourNodes } from '../support/our-nodes'
import { works, type SampleWork } from '../support/works'

const nodeOf = (id: string) => {
  const node = helper.getNode(id)
  if (!node) throw new Error(`no node ${id}`)
  return node
}

/** Nodes that work without messages, or are not in the list of works. */
const further: Readonly<Record<string, SampleWork>> = {
  'convert-pose': { node: 'robot-pose', message: { payload: [400, 20, 500, 10, 20, 30] } },
  'doubtful-pose': { node: 'robot-pose', message: { payload: [0.4, 0.02, 0.5, 0.1, 0.2, 0.3] } },
  'own-device': { node: 'virtual-device', fields: { port: 0 }, message: { payload: {} } },
  'unproven-picture': { node: 'acquire', fields: { proof: 'time', restoresMode: true } },
  'stopped-images': { node: 'image-receive', fields: { starts: 'message' }, message: { payload: 'stop' } },
  'missing-parameter': { node: 'get-parameter', fields: { node: 'dev_camera', parameter: 'speed' } },
  'refused-service': {
    node: 'call-service',
    fields: { node: 'dev_stereomatching', service: 'acquisition_trigger', onRefusal: 'output', outputs: 2 },
  },
  'failed-service': {
    node: 'call-service',
    fields: { node: 'dev_stereomatching', service: 'acquisition_trigger' },
  },
  restore: {
    node: 'backup',
    fields: { action: 'restore', source: 'payload', sourceType: 'msg', confirmed: true },
    message: { payload: { load_carriers: [] } },
  },
}
const all = { ...works, ...further }

/** Nodes that send without being asked. */
const standing = {
  stream: {
    node: 'stream-receive',
    fields: { stream: 'imu', output: 'rate', rate: 20, statistics: 0.2, address: '127.0.0.1' },
  },
  logs: { node: 'log-watch', fields: {} },
}

const isResult = (vision: unknown): VisionResult => {
  const result = vision as VisionResult
  should(result).be.an.Object()
  Object.keys(result).sort().should.eql(['at', 'code', 'milliseconds', 'state', 'text', 'value'])
  const { text, state, value, code, milliseconds, at } = result
  text.should.match(/^\S[^\n]{0,2000}$/).and.not.match(/\{\{|undefined|\[object|result-/)
  ;['done', 'warning', 'working', 'failed'].should.containEql(state)
  ;['string', 'number', 'boolean'].concat(value === null ? 'object' : []).should.containEql(typeof value)
  if (state === 'done') should(code).equal(0)
  milliseconds.should.be.a.Number().and.aboveOrEqual(0)
  new Date(at).toISOString().should.equal(at)
  return result
}

/** Configuration nodes, and nodes whose messages need more than a device: they have tests of their own. */
const elsewhere: ReadonlySet<string> = new Set([
  'device-config',
  'firmware-update',
  'fleet',
  'operator-calibration',
  'operator-devices',
  'operator-fleet',
  'operator-panel',
  'operator-permission',
  'plc-handshake',
  'plc-trigger',
  'plc-messages',
  'cell-agent',
  'plc-result',
  'recipes',
  'robot',
  'robot-config',
  'robot-connection',
  'robot-request',
  'robot-answer',
  'virtual-plc',
])

describe('the summary of a message', () => {
  const devices: VirtualDevice[] = []
  let userDir = ''
  const flow = () => [
    { id: 'tab', type: 'tab', label: 'test' },
    ...devices.map(({ url }, index) => ({
      id: index ? 'multi' : 'single',
      type: 'vision-device-config',
      name: index ? 'right' : 'left',
      address: url,
    })),
    { ...onTab, id: 'out', type: 'helper', wires: [] },
    ...Object.keys(standing).map((id) => ({ ...onTab, id: `from-${id}`, type: 'helper', wires: [] })),
    { ...onTab, id: 'catch', type: 'catch', scope: null, wires: [['out']] },
    ...Object.entries(all).map(([id, { node, fields, variant = 'single' }]) => ({
      ...onTab,
      id,
      type: `vision-${node}`,
      device: variant,
      wires: [['out'], ['out'], ['out']],
      ...fields,
    })),
    ...Object.entries(standing).map(([id, { node, fields }]) => ({
      ...onTab,
      id,
      type: `vision-${node}`,
      device: 'single',
      wires: [[`from-${id}`], [`from-${id}`]],
      ...fields,
    })),
  ]

  before(async () => {
    for (const variant of ['single', 'multi'] as const)
      devices.push(await startVirtualDevice({ port: 0, variant }))
    await helper.startServer()
    userDir = mkdtempSync(join(tmpdir(), 'results-'))
    helper.settings({ userDir })
    await helper.load([...ourNodes], flow())
  })
  after(async () => {
    await helper.unload()
    await helper.stopServer()
    for (const device of devices) await device.stop()
    rmSync(userDir, { recursive: true })
  })

  /** The output for a message, or the error that Catch passes on. */
  const send = async (id: string, given: object): Promise<NodeMessage> => {
    const came = once(nodeOf('out'), 'input') as Promise<[NodeMessage]>
    nodeOf(id).receive(structuredClone(given) as NodeMessage)
    return (await came)[0]
  }
  const told = async (id: string) => {
    const { before = [], message = {} } = all[id] ?? {}
    for (const each of before) await send(id, each)
    const { vision, error } = await send(id, message)
    return { result: isResult(vision), error: error as { message: string; code: string } | undefined }
  }

  it('is provided by every node', () => {
    const covered = new Set([...Object.values(all), ...Object.values(standing)].map(({ node }) => node))
    nodeNames.filter((node) => !covered.has(node) && !elsewhere.has(node)).should.eql([])
  })

  for (const id of Object.keys(all))
    it(`has one text, state, value, code, duration and time: ${id}`, async () => {
      const { result, error } = await told(id)
      if (!error) return
      result.should.match({ state: 'failed', text: error.message, code: error.code })
      Object.keys(errorCodes).should.containEql(result.code)
    })

  for (const [id, expected] of Object.entries({
    'get-one': { text: /^fps = \d+ Hz$/, value: 25 },
    'status-one': { text: /^fps = / },
    call: { text: 'reset_defaults done' },
    restore: { text: 'restored, no warnings', state: 'done', value: 0 },
    'doubtful-pose': { state: 'warning' },
    'refused-service': { state: 'failed', code: 'REFUSED', text: /^left: refused acquisition_trigger/ },
    'failed-service': { state: 'failed', code: 'REFUSED' },
    'missing-parameter': { state: 'failed', code: 'NOT_FOUND', text: /^left: cannot read a parameter/ },
    'own-device': { text: /^running at http:/, value: true },
  }))
    it(`uses the words of the cell: ${id}`, async () => {
      const { result } = await told(id)
      should(result).match(expected)
    })

  for (const [id, { node }] of Object.entries(standing))
    it(`is part of what ${node} sends by itself`, async () => {
      devices[0]?.setScenario({ log_chatter: 20 })
      const [{ vision }] = (await once(nodeOf(`from-${id}`), 'input')) as [NodeMessage]
      isResult(vision)
      devices[0]?.setScenario({ log_chatter: 0 })
    })
})
