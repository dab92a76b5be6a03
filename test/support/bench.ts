import 'should'
import { once, type EventEmitter } from 'node:events'
import helper from 'node-red-node-test-helper'
import RED, { type Node, type NodeInitializer, type NodeMessage } from 'node-red'
import type { DeviceConfigNode } from '../../nodes/device-config/deployed-device'
import { startVirtualDevice, type VirtualDevice, type VirtualDeviceOptions } from '../../virtual-device'
import { eventually } from './eventually'
import { ourNodes } from './our-nodes'

/** From Catch. */
export interface Caught {
  message: string
  code?: string
  cause?: Record<string, unknown>
  source: { id: string; type: string }
}

interface Options {
  device?: VirtualDeviceOptions
  /** Further fields of the device's config node. */
  config?: object
  credentials?: object
  flow?: object[]
  /** If neither ours nor the helper's. */
  types?: NodeInitializer[]
  /** Called when Node-RED starts. */
  settings?: () => object
}

/** Node-RED treats a node without a position as a config node. */
export const onTab = { z: 'tab', x: 0, y: 0 }

/** A flow with the node under test and its own virtual device. */
export class Bench {
  device!: VirtualDevice
  /** Of the node under test, oldest first. */
  readonly statuses: {
    text?: string
    fill?: string
    shape?: string
    vision?: { word?: string; count?: string | number }
  }[] = []
  readonly #fields: object
  readonly #options: Options
  readonly #ended = new Map<
    string,
    (end: { output?: number; message: NodeMessage; error?: Caught }) => void
  >()
  #count = 0

  constructor(fields: object, options: Options) {
    this.#fields = fields
    this.#options = options
  }

  get flow(): object[] {
    const { config, flow = [] } = this.#options
    return [
      { id: 'tab', type: 'tab', label: 'test' },
      {
        id: 'device',
        type: 'vision-device-config',
        name: '',
        address: this.device.url,
        healthInterval: 0.1,
        ...(this.device.ports.images && { imagePort: this.device.ports.images.port }),
        ...config,
      },
      { ...onTab, id: 'test', device: 'device', wires: [['out0'], ['out1'], ['out2']], ...this.#fields },
      { ...onTab, id: 'out0', type: 'helper', wires: [] },
      { ...onTab, id: 'out1', type: 'helper', wires: [] },
      { ...onTab, id: 'out2', type: 'helper', wires: [] },
      { ...onTab, id: 'catch', type: 'catch', scope: null, wires: [['caught']] },
      { ...onTab, id: 'caught', type: 'helper', wires: [] },
      ...flow,
    ]
  }

  async start(): Promise<void> {
    this.device = await startVirtualDevice({ port: 0, ...this.#options.device })
    await helper.startServer()
    helper.settings(this.#options.settings?.() ?? {})
    await this.load()
  }

  async load(): Promise<void> {
    await helper.load([...ourNodes, ...(this.#options.types ?? [])], this.flow, this.#options.credentials)
    this.listen()
  }

  /** With other fields of the node under test. */
  async deploy(fields: object = {}, type: 'full' | 'nodes' = 'full'): Promise<void> {
    Object.assign(this.#fields, fields)
    await this.#setFlows(this.flow, type)
    this.listen()
  }

  async deployWithout(type: 'full' | 'nodes' = 'full'): Promise<void> {
    const rest = this.flow.filter((node) => !('id' in node && node.id === 'test'))
    await this.#setFlows(rest, type)
  }

  async #setFlows(flow: object[], type: 'full' | 'nodes'): Promise<void> {
    const started = once(RED.events, 'flows:started')
    await helper._redNodes.setFlows(flow, this.#options.credentials ?? {}, type)
    await started
  }

  async stop(): Promise<void> {
    await helper.unload()
    await helper.stopServer()
    await this.device.stop()
  }

  listen(): void {
    for (const output of [0, 1, 2]) {
      const node = this.helperNode(`out${output}`)
      node.removeAllListeners('input')
      node.on('input', (message) => this.#end(message, { output, message }))
    }
    const caught = this.helperNode('caught')
    caught.removeAllListeners('input')
    caught.on('input', (message) => {
      this.#end(message, { message, error: message['error'] as Caught })
    })
    // The helper emits an event for every method call.
    const events: EventEmitter = this.node
    events.on('call:status', (call: { args: [Bench['statuses'][number]] }) =>
      this.statuses.push(call.args[0]),
    )
  }

  get node(): Node {
    return this.helperNode('test')
  }

  get config(): DeviceConfigNode {
    return this.helperNode('device') as DeviceConfigNode
  }

  helperNode(id: string): Node {
    const node = helper.getNode(id)
    if (!node) throw new Error(`no node ${id} in the flow`)
    return node
  }

  /** @throws the error from Catch */
  async send(message: NodeMessage = {}): Promise<NodeMessage> {
    return (await this.sendAndSee(message)).message
  }

  /** With the number of the output. */
  async sendAndSee(message: NodeMessage = {}): Promise<{ output: number; message: NodeMessage }> {
    const id = (message._msgid ??= `message ${++this.#count}`)
    const end = new Promise<{ output?: number; message: NodeMessage; error?: Caught }>((resolve) =>
      this.#ended.set(id, resolve),
    )
    this.node.receive(message)
    const { output = -1, message: out, error } = await end
    // Catch passes on a plain object.
    if (error) throw Object.assign(new Error(error.message), error)
    return { output, message: out }
  }

  #end(message: NodeMessage, end: { output?: number; message: NodeMessage; error?: Caught }) {
    const { _msgid = '' } = message
    this.#ended.get(_msgid)?.(end)
    this.#ended.delete(_msgid)
  }

  /** Oldest first. */
  logged(type: string): unknown[] {
    return helper.log().args.flatMap(([entry]) => (entry.type === type ? [entry.msg] : []))
  }

  async state(expected: string): Promise<void> {
    while (this.config.device.state !== expected) await once(this.config, 'call:status')
  }

  /** A restart of a device that has only just started cannot be noticed. */
  async runsFor(seconds: number): Promise<void> {
    const { client } = this.config.device.connection
    await eventually(async () => (await client.getSystem()).uptime.should.be.above(seconds))
  }

  /** Ending of the status before duration and time. */
  async status(expected: string): Promise<void> {
    const shown = () => this.statuses.at(-1)?.text?.replace(/( \d[\d.,]* (ms|s|min))? \d\d:\d\d:\d\d$/, '')
    while (!shown()?.endsWith(expected)) await once(this.node, 'call:status')
  }
}

/** For the tests of this block. */
export function useBench(fields: object, options: Options = {}): Bench {
  const bench = new Bench(fields, options)
  before(() => bench.start())
  after(() => bench.stop())
  return bench
}
