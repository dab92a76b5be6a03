import 'should'
import { setImmediate as nextTurn } from 'node:timers/promises'
import helper from 'node-red-node-test-helper'
import type { NodeMessage } from 'node-red'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { faults, startFaultyProxy, type Fault, type FaultyProxy } from '../support/faulty-proxy'
import { onTab } from '../support/bench'
import { eventually } from '../support/eventually'
import { ourNodes } from '../support/our-nodes'

const seed = 20_26
const count = process.env['CELLSIGHT_LONG'] ? 10_000 : 200
/** Share of the requests that something befalls. */
const share = 0.1

/** One of each node that works on messages, and the message that makes it ask the device. */
const nodes: Record<string, { fields?: object; message?: (id: string, index: number) => object }> = {
  'get-parameter': { fields: { node: 'dev_camera', parameter: 'fps' } },
  'set-parameter': {
    fields: { node: 'dev_camera', parameter: 'fps', value: 'payload', valueType: 'msg' },
    message: (_id, index) => ({ payload: 1 + (index % 25) }),
  },
  'call-service': {
    fields: {
      pipeline: '',
      node: 'dev_roi_db',
      service: 'delete_regions_of_interest',
      args: 'payload',
      argsType: 'msg',
    },
    message: (id) => ({ payload: { region_of_interest_ids: [id] } }),
  },
  'get-status': { fields: { node: 'dev_camera' } },
}

describe('every node on a bad connection', function () {
  this.timeout(count * 100 + 30_000)
  let device: VirtualDevice
  let proxy: FaultyProxy
  /** How each message ended. */
  let ends: Map<string, string[]>
  /** How often the device has been told to delete each region: once for each message, or not at all. */
  let told: ReturnType<typeof tellsOf>

  before(async () => {
    device = await startVirtualDevice({ port: 0, seed })
    told = tellsOf(device)
    proxy = await startFaultyProxy(device.port, seed)
    await helper.startServer()
    await helper.load([...ourNodes], flow(proxy.url))
    const note = (what: string) => (message: NodeMessage) => {
      const { _msgid = '' } = message
      ends.set(_msgid, [...(ends.get(_msgid) ?? []), what])
    }
    for (const what of ['output', 'done', 'error']) helper.getNode(what)?.on('input', note(what))
  })
  after(async () => {
    await helper.unload()
    await helper.stopServer()
    await proxy.stop()
    await device.stop()
  })
  beforeEach(() => (ends = new Map()))

  for (const fault of Object.keys(faults) as Fault[])
    it(`ends each of ${count} messages once, where ${faults[fault]}`, async () => {
      const before = proxy.befallen()
      proxy.befall(fault, share)
      await Promise.all(Object.keys(nodes).map((name) => feed(name, fault)))
      proxy.befall(undefined)
      await eventually(() => void complete().should.equal(count * Object.keys(nodes).length))

      for (const [id, list] of ends)
        list
          .sort()
          .join(' and ')
          .should.match(/^(done and output|error)$/, id)
      const outputs = [...ends.values()].filter((list) => list.length === 2).length
      outputs.should.be.above(ends.size / 2)
      ;(proxy.befallen() - before).should.be.above((count * share) / 2)
      Math.max(...told().values()).should.equal(1)
    })

  const complete = () =>
    [...ends.values()].filter((list) => list.includes('error') || list.length === 2).length

  /** Sends the messages of one node, some at a time, each after an earlier one has ended. */
  async function feed(name: string, round: string) {
    const node = helper.getNode(name)
    if (!node) throw new Error(`no node ${name}`)
    const message = nodes[name]?.message
    for (let index = 0; index < count; index++) {
      const id = `${round} ${name} ${index}`
      node.receive({ _msgid: id, ...message?.(id, index) })
      if (index % 10 === 9) while (!ends.has(id)) await nextTurn()
      told()
    }
  }
})

const flow = (address: string) => [
  { id: 'tab', type: 'tab', label: 'test' },
  // A gateway's pause after a lost connection is not what is looked at here.
  {
    id: 'device',
    type: 'vision-device-config',
    name: '',
    address,
    deadline: 0.2,
    queue: 1000,
    healthInterval: 5,
  },
  ...Object.entries(nodes).map(([name, { fields }]) => ({
    ...onTab,
    id: name,
    type: `vision-${name}`,
    device: 'device',
    wires: [['output'], ['output']],
    ...fields,
  })),
  { ...onTab, id: 'output', type: 'helper', wires: [] },
  { ...onTab, id: 'complete', type: 'complete', scope: Object.keys(nodes), wires: [['done']] },
  { ...onTab, id: 'done', type: 'helper', wires: [] },
  { ...onTab, id: 'catch', type: 'catch', scope: null, wires: [['error']] },
  { ...onTab, id: 'error', type: 'helper', wires: [] },
]

/** Counts the deletions that the device has handled, by region; it remembers its last thousand requests only. */
function tellsOf(device: VirtualDevice) {
  const seen = new WeakSet<object>()
  const tells = new Map<string, number>()
  return () => {
    for (const call of device.calls()) {
      if (call.operation !== 'callGlobalService' || seen.has(call)) continue
      seen.add(call)
      const { args } = call.input as { args?: { region_of_interest_ids?: string[] } }
      for (const id of args?.region_of_interest_ids ?? []) tells.set(id, (tells.get(id) ?? 0) + 1)
    }
    return tells
  }
}
