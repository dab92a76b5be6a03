import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { NodeMessage } from 'node-red'
import helper from 'node-red-node-test-helper'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { onTab } from '../support/bench'
import { dialogSource, nodeNames } from '../support/dialog-source'
import { watchEnds, type Ends } from '../support/ends'
import { oddValue } from '../support/odd-values'
import { ourNodes } from '../support/our-nodes'
import { problemOf } from '../support/problem-of'

const numRuns = process.env['CELLSIGHT_LONG'] ? 5000 : 50

/** Configured nodes; all their typed fields come from the message. */
const setups: readonly { node: string; fields?: object }[] = [
  ...['one', 'several', 'all', 'nodes'].map((which) => ({ node: 'get-parameter', fields: { which } })),
  ...['one', 'several', 'nodes'].map((which) => ({ node: 'set-parameter', fields: { which } })),
  { node: 'call-service' },
  { node: 'device-request' },
  ...['one', 'several', 'all'].map((which) => ({ node: 'get-status', fields: { which } })),
  { node: 'get-status', fields: { what: 'system', which: 'several' } },
  ...['save', 'restore', 'compare'].map((action) => ({
    node: 'backup',
    fields: { action, target: 'message', against: 'other', confirmed: true },
  })),
  { node: 'stream-destination', fields: { action: 'message' } },
  { node: 'system', fields: { action: 'message', network: 'object' } },
  ...['list', 'configure', 'delete'].map((action) => ({
    node: 'pipeline',
    fields: { action, device: 'multi', confirmed: true },
  })),
  ...['set', 'get', 'delete'].map((action) => ({ node: 'database', fields: { action, from: 'message' } })),
  ...['one', 'list'].map((which) => ({ node: 'robot-pose', fields: { which } })),
  {
    node: 'hand-eye-calibration',
    fields: { gridWidth: 260, gridHeight: 180, settling: 0, deadline: 2, list: 'now' },
  },
  { node: 'firmware-update', fields: { mode: 'check' } },
  { node: 'acquire', fields: { proof: 'time', cloud: 'message', cloudFrame: 'loadCarrier' } },
  { node: 'image-receive', fields: { starts: 'message', cloud: 'message', cloudFrame: 'loadCarrier' } },
  { node: 'virtual-device', fields: { port: 0 } },
  { node: 'plc-messages' },
  { node: 'plc-result' },
  { node: 'robot-answer' },
  ...['read', 'move', 'stop'].map((action) => ({ node: 'robot', fields: { action } })),
  { node: 'virtual-plc' },
  { node: 'call-service', fields: { draws: true } },
  { node: 'operator-panel', fields: { handshake: 'plc' } },
  { node: 'operator-permission', fields: { allowed: true } },
  { node: 'operator-devices' },
  { node: 'operator-calibration' },
  { node: 'operator-fleet' },
  { node: 'recipes' },
  { node: 'cell-agent', fields: { plant: 'north', cell: 'one' } },
  { node: 'fleet', fields: { mayOrder: true } },
]

/** What nodes read from a message besides their typed fields. */
const looked = [
  'payload',
  'topic',
  'operation',
  'action',
  'poseNumber',
  'hash',
  'confirm',
  'move',
  'device',
  'error',
  'picture',
  'images',
  '_client',
  'rollout',
  'limit',
]

interface OddMessage {
  values: Record<string, () => unknown>
  /** Properties that throw when they are read. */
  throwing: string[]
  frozen: boolean
}

describe('nodes that receive odd messages', function () {
  this.timeout(process.env['CELLSIGHT_LONG'] ? 3_600_000 : 120_000)
  const devices: VirtualDevice[] = []
  let ends: Ends
  let userDir: string
  let count = 0

  const ids = setups.map(({ node, fields = {} }) => [node, ...Object.values(fields).map(String)].join(' '))
  const typedOf = (node: string) => {
    const names = Object.keys(dialogSource(node).registered[0]?.definition.defaults ?? {})
    return names.filter((name) => names.includes(`${name}Type`))
  }
  const flow = () => [
    { id: 'tab', type: 'tab', label: 'test' },
    ...devices.map(({ url }, index) => ({
      id: index ? 'multi' : 'single',
      type: 'vision-device-config',
      name: '',
      address: url,
      deadline: 2,
    })),
    { id: 'plc', type: 'vision-plc-handshake', name: '', family: 'sequence', port: 0 },
    { ...onTab, id: 'sink', type: 'helper', wires: [] },
    ...setups.map(({ node, fields }, index) => ({
      ...onTab,
      id: ids[index],
      type: `vision-${node}`,
      device: 'single',
      wires: [['sink'], ['sink'], ['sink']],
      ...Object.fromEntries(
        typedOf(node).flatMap((name) => [
          [name, name],
          [`${name}Type`, 'msg'],
        ]),
      ),
      ...fields,
    })),
  ]

  before(async () => {
    for (const variant of ['single', 'multi'] as const)
      devices.push(await startVirtualDevice({ port: 0, variant }))
    ends = watchEnds()
    await helper.startServer()
    userDir = mkdtempSync(join(tmpdir(), 'odd-messages-'))
    helper.settings({ userDir })
    await helper.load([...ourNodes], flow())
  })
  after(async () => {
    ends.stop()
    await helper.unload()
    await helper.stopServer()
    for (const device of devices) await device.stop()
    rmSync(userDir, { recursive: true })
  })

  it('are all that accept messages', () => {
    const takesMessages = (node: string) => dialogSource(node).registered[0]?.definition.inputs === 1
    const there = new Set(setups.map(({ node }) => node))
    nodeNames.filter((node) => takesMessages(node) && !there.has(node)).should.eql([])
  })

  for (const [index, { node }] of setups.entries()) {
    const id = ids[index] ?? ''
    it(`end each once: ${id}`, async () => {
      const names = [...new Set([...typedOf(node), ...looked])]
      const message = fc.record({
        values: fc.record(Object.fromEntries(names.map((name) => [name, oddValue])), { requiredKeys: [] }),
        throwing: fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.subarray(names, { maxLength: 2 })),
        frozen: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
      }) as fc.Arbitrary<OddMessage>
      await fc.assert(
        fc.asyncProperty(message, async (odd) => {
          const _msgid = `odd ${++count}`
          helper.getNode(id)?.receive(made(_msgid, odd))
          const problem = problemOf(await ends.ended(id, _msgid))
          if (problem) throw new Error(problem)
        }),
        { seed: 26, numRuns },
      )
    })
  }

  it('send nothing that the device cannot read', () => {
    const refused = devices
      .flatMap((device) => device.calls())
      .filter(({ status }) => status === 415 || status >= 500)
    should(refused).eql([])
  })

  it('leave every object unchanged', () => should(({} as Record<string, unknown>)['polluted']).be.undefined())
})

function made(_msgid: string, { values, throwing, frozen }: OddMessage): NodeMessage {
  const message: NodeMessage = { _msgid }
  for (const [name, value] of Object.entries(values)) message[name] = value()
  for (const name of throwing)
    Object.defineProperty(message, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        throw new Error('It broke.')
      },
    })
  return frozen ? Object.freeze(message) : message
}
