import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import helper from 'node-red-node-test-helper'
import type { Node, NodeDef, NodeInitializer, NodeMessage } from 'node-red'
import RED from 'node-red'
import should from 'should'
import { permit } from '../../nodes/shared/permission'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { onTab } from '../support/bench'
import { watchEnds, type Ends } from '../support/ends'
import { eventually } from '../support/eventually'
import { ourNodes } from '../support/our-nodes'
import { problemOf } from '../support/problem-of'

const coreNode = (file: string) =>
  createRequire(__filename)(`@node-red/nodes/core/function/${file}`) as NodeInitializer

/** Values that JSON cannot express, or only at a price, as the code of a *function* node makes them. */
const values: Readonly<Record<string, string>> = {
  'a BigInt': '1n',
  'a circular object': '(() => { const one = { name: "ring" }; one.self = one; return one })()',
  'a function': '() => 1',
  'a symbol': 'Symbol("odd")',
  'a getter that throws': '({ get name() { throw new Error("It broke.") } })',
  'a toJSON that throws': '({ toJSON() { throw new Error("It broke.") } })',
  'a proxy': 'new Proxy({}, { get() { throw new Error("It broke.") } })',
  'a reserved name': `JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')`,
  'an invalid date': 'new Date(NaN)',
  'ten megabytes of text': '"x".repeat(1e7)',
  'a typed array of 100 MB': 'new Float64Array(12500000)',
}

/** What a message with a value is, by the node that gets it. */
const places: readonly { what: string; node: string; message: string; fields?: object; refuses: boolean }[] =
  [
    {
      ...{
        what: 'the value of a parameter',
        node: 'set-parameter',
        message: '{ payload: value }',
        refuses: true,
      },
      fields: { node: 'dev_camera', parameter: 'fps', value: 'payload', valueType: 'msg' },
    },
    {
      ...{ what: 'a value in the flow context', node: 'set-parameter', refuses: true },
      message: '(flow.set("odd", value), {})',
      fields: { node: 'dev_camera', parameter: 'fps', value: 'odd', valueType: 'flow' },
    },
    {
      ...{ what: 'an argument of a service', node: 'call-service', refuses: false },
      message: '{ payload: { odd: [value] } }',
      fields: { node: 'dev_roi_db', service: 'get_regions_of_interest', args: 'payload', argsType: 'msg' },
    },
    {
      ...{ what: 'data of an event', node: 'cell-agent', refuses: true },
      message: '{ topic: "event", payload: { event: "alarm", data: { odd: value } } }',
      fields: { plant: 'north', cell: 'one', flows: 'odd' },
    },
    {
      ...{ what: 'a recipe', node: 'recipes', refuses: true },
      message: `{ topic: "save", payload: { by: "page", revision: 0, recipe: { job: 1, name: "one", region: "", gripper: "",
      values: { "dev_camera.fps": value } } } }`,
      fields: { columns: '{"dev_camera.fps":"Rate"}', products: '[]' },
    },
    {
      ...{ what: 'the result of a flow', node: 'cell-agent', refuses: false },
      message: `(flow.set("result", value), { topic: "vision/north/one/command", payload: JSON.stringify({ v: 1, id: msg._msgid,
      from: "hq", do: "run-flow", args: { flow: "odd" } }) })`,
      fields: { plant: 'north', cell: 'one', flows: 'odd', flowWithin: 60 },
    },
    { what: 'a result for a PLC', node: 'plc-result', message: '{ payload: value }', refuses: true },
    {
      ...{ what: 'a property that no node reads', node: 'get-parameter', refuses: false },
      message: '{ odd: value }',
      fields: { node: 'dev_camera', parameter: 'fps' },
    },
  ]

/** The hooks of the Node-RED in this process, which the helper leaves out. */
const hooking = (api: object): void =>
  void Object.assign(api, { hooks: (RED as unknown as { hooks: object }).hooks })

/** Lets a message pass as *operator permission* does. */
const permitting: NodeInitializer = (RED) =>
  RED.nodes.registerType('test-permit', function (this: Node, fields: NodeDef) {
    RED.nodes.createNode(this, fields)
    this.on('input', (msg, send, done) => {
      permit(msg)
      send(msg)
      done()
    })
  })

describe('a value that JSON cannot express, made by a function node', () => {
  let device: VirtualDevice
  let ends: Ends
  let userDir = ''
  let count = 0
  /** Different final answers, by the command. */
  const answers = new Map<string, Set<string>>()
  const say = (code: string) =>
    `const value = eval(msg.code); delete msg.code; Object.assign(msg, ${code}); return msg`

  before(async () => {
    device = await startVirtualDevice({ port: 0 })
    ends = watchEnds()
    await helper.startServer()
    userDir = mkdtempSync(join(tmpdir(), 'cellsight-values-'))
    helper.settings({ userDir })
    await helper.load(
      [hooking, ...ourNodes, coreNode('10-function.js'), permitting],
      [
        { id: 'tab', type: 'tab', label: 'test' },
        { id: 'device', type: 'vision-device-config', name: 'left', address: device.url },
        { id: 'plc', type: 'vision-plc-handshake', name: '', family: 'sequence', port: 0 },
        ...places.flatMap(({ node, message, fields }, at) => [
          {
            ...onTab,
            id: `make ${at}`,
            type: 'function',
            func: say(message),
            outputs: 1,
            wires: [[`permit ${at}`]],
          },
          { ...onTab, id: `permit ${at}`, type: 'test-permit', wires: [[`to ${at}`]] },
          {
            ...{ ...onTab, id: `to ${at}`, type: `vision-${node}`, device: 'device' },
            ...{ wires: [['sent'], [node === 'cell-agent' ? `flow ${at}` : 'sent'], []], ...fields },
          },
          {
            ...{ ...onTab, id: `flow ${at}`, type: 'function', outputs: 1, wires: [[`to ${at}`]] },
            func: 'msg.payload = flow.get("result"); return msg',
          },
        ]),
        { ...onTab, id: 'sent', type: 'helper', wires: [] },
      ],
    )
    helper.getNode('sent')?.on('input', ({ topic, payload }: NodeMessage) => {
      if (typeof topic !== 'string' || !topic.endsWith('/answer') || typeof payload !== 'string') return
      const { id, state } = JSON.parse(payload) as { id: string; state: string }
      if (['done', 'failed', 'refused', 'unknown'].includes(state))
        answers.set(id, new Set([...(answers.get(id) ?? []), payload]))
    })
  })
  after(async () => {
    ends.stop()
    await helper.unload()
    await helper.stopServer()
    await device.stop()
    rmSync(userDir, { recursive: true })
  })

  for (const [at, { what, refuses }] of places.entries())
    it(`as ${what} ends each message once`, async () => {
      for (const [name, code] of Object.entries(values)) {
        const _msgid = `value-${++count}`
        helper.getNode(`make ${at}`)?.receive({ _msgid, code })
        const made = await ends.ended(`make ${at}`, _msgid)
        should(made.done + made.errors.length).equal(1, `${name}, in the function node`)
        if (made.errors.length > 0) continue
        const end = await ends.ended(`to ${at}`, _msgid)
        should(problemOf(end)).equal(undefined, name)
        if (refuses) should(end.errors.length).equal(1, name)
        if (what === 'the result of a flow')
          await eventually(() => should(answers.get(_msgid)?.size).equal(1, name))
      }
      // Every node goes on.
      should(({} as Record<string, unknown>)['polluted']).be.undefined()
    }).timeout(60_000)
})
