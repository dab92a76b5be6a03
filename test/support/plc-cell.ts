import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from './eventually'
import { exampleNodes, type FlowNode } from './example'
import { freePorts } from './free-ports'
import type { NodeRed } from './node-red'
import { connectPlc, type Plc } from './plc'
import { sharedNodeRed } from './shared-node-red'

export type DeployKind = 'full' | 'flows' | 'nodes'

/** The example first-acquisition with an external device and PLC. */
export interface PlcCell {
  red: NodeRed
  device: VirtualDevice
  /** A deploy closes connections to the cell. */
  connect: () => Promise<Plc>
  nodes: FlowNode[]
  /** Changes one node, and waits until the flow runs. */
  deploy: (kind: DeployKind, id: string, change: object) => Promise<void>
  /** Of the depth module. */
  set: (name: string, value: string | number) => Promise<void>
  /** Received by the device. */
  acquisitions: () => number
}

/** For the tests of this block. @param settings of the handshake */
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
        // Drawing an image may take long on a busy computer.
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
        // Ready only after the first write of the trigger.
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
    // A connection closed by the cell may not confirm it.
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
