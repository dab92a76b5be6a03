import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from './eventually'
import { exampleNodes, type FlowNode } from './example'
import { freePorts } from './free-ports'
import type { NodeRed } from './node-red'
import { connectPlc, type Plc } from './plc'
import { sharedNodeRed } from './shared-node-red'

export type DeployKind = 'full' | 'flows' | 'nodes'

/** The cell of the example first-acquisition, with a device and a PLC that are not in the flow. */
export interface PlcCell {
  red: NodeRed
  device: VirtualDevice
  /** Another connection to the cell, or to the same server as the cell: a deploy ends those to the cell. */
  connect: () => Promise<Plc>
  nodes: FlowNode[]
  /** Deploys the flow with changes of one node, and waits until it runs. */
  deploy: (kind: DeployKind, id: string, change: object) => Promise<void>
  /** Sets a parameter of the depth module. */
  set: (name: string, value: string | number) => Promise<void>
  /** Acquisitions that have come to the device. */
  acquisitions: () => number
}

/** Runs it before the tests of this block. @param settings of the handshake, such as another connection */
export function usePlcCell(settings: (port: number) => object = () => ({})): () => PlcCell {
  let cell: PlcCell | undefined
  const connections: Plc[] = []

  before(async function () {
    this.timeout(120_000)
    const [port = 0] = await freePorts(1)
    const device = await startVirtualDevice({ port: 0, imagePort: 0 })
    const red = await sharedNodeRed({})
    const nodes = exampleNodes('first-acquisition')
      .filter(({ type }) => type !== 'vision-virtual-plc' && type !== 'vision-virtual-device')
      .map((node): FlowNode => {
        if (node.type === 'vision-plc-handshake') return { ...node, port, deadline: 15, ...settings(port) }
        // A busy computer takes its time to draw an image.
        if (node.type === 'vision-acquire') return { ...node, patience: 12 }
        return node.type === 'vision-device-config'
          ? { ...node, address: device.url, deadline: 10, imagePort: device.ports.images?.port }
          : node
      })
    await red.deploy(nodes)
    cell = {
      red,
      device,
      connect: async () => {
        const plc = await connectPlc(port)
        // A cell that has never had a PLC is ready once that has written its trigger.
        if (connections.length === 0) await plc.trigger(false)
        connections.push(plc)
        return plc
      },
      nodes,
      deploy: (kind, id, change) => deployed(red, kind, changed(nodes, id, change)),
      set: async (name, value) => {
        const url = `${device.url}/api/v2/pipelines/0/nodes/dev_stereomatching/parameters/${name}`
        const { status } = await fetch(url, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ value }),
        })
        if (status !== 200) throw new Error(`${name}: ${status}`)
      },
      acquisitions: () => device.calls().filter(({ operation }) => operation === 'callService').length,
    }
  })
  after(async () => {
    // One that the cell has ended may not confirm it.
    for (const plc of connections) void plc.close()
    await cell?.red.deploy([])
    await cell?.device.stop()
  })

  return () => {
    if (!cell) throw new Error('the cell does not run')
    return cell
  }
}

const changed = (nodes: readonly FlowNode[], id: string, change: object) =>
  nodes.map((node) => (node.id === id ? { ...node, ...change } : node))

async function deployed(red: NodeRed, kind: DeployKind, flows: readonly FlowNode[]): Promise<void> {
  const before = red.output().split('Started').length
  const { status } = await fetch(`${red.url}/flows`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'node-red-api-version': 'v2',
      'node-red-deployment-type': kind,
    },
    body: JSON.stringify({ flows }),
  })
  if (status !== 200) throw new Error(`Node-RED answered ${status}`)
  await eventually(() => {
    if (red.output().split('Started').length <= before) throw new Error('the flows have not started')
  })
}
