import should from 'should'
import { eventually } from '../support/eventually'
import { exampleNodes, type FlowNode } from '../support/example'
import { freePorts } from '../support/free-ports'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { modbusPeer } from './peers/modbus-peer'
import { brokerName } from './peers/brokers'
import { mqttPeer } from './peers/mqtt-peer'
import { opcuaPeer } from './peers/opcua-peer'
import { packages, type PlcPeer } from './peers/peer'
import { s7Peer } from './peers/s7-peer'

interface Cell {
  /** Ports in the file: of the PLC, and of the virtual device. */
  ports: readonly [plc: number, device: number]
  palette: readonly string[]
  /** What it is tested with. @default the palette */
  by?: string
  peer: (port: number) => PlcPeer
}

const cells: Readonly<Record<string, Cell>> = {
  'plc-mqtt': { ports: [1883, 8143], palette: [], by: brokerName, peer: mqttPeer },
  'plc-s7': { ports: [102, 8141], palette: ['node-red-contrib-s7'], peer: s7Peer },
  'plc-modbus-nodes': { ports: [502, 8144], palette: ['node-red-contrib-modbus'], peer: modbusPeer },
  'plc-opcua': { ports: [4840, 8142], palette: ['node-red-contrib-opcua'], peer: opcuaPeer },
}

/** Milliseconds: a package may take ten seconds to connect again. */
const patience = 60_000

for (const [name, { ports, palette, by = palette.join(), peer: newPeer }] of Object.entries(cells))
  describe(`the example ${name} with ${by} and a PLC`, function () {
    this.timeout(180_000)
    let red: NodeRed
    let plc: PlcPeer
    let nodes: FlowNode[]

    before(async () => {
      const free = await freePorts(2)
      plc = newPeer(free[0] ?? 0)
      await plc.start()
      nodes = prepared(name, ports, free)
      red = await startNodeRed({
        palette,
        paletteFolder: packages,
        settings: { nodesExcludes: [] },
      })
      await red.deploy(nodes)
    })
    after(async () => {
      await red.stop()
      await plc.stop()
    })

    const state = () => ({
      ready: (plc.get('state') & 1) !== 0,
      busy: (plc.get('state') & 2) !== 0,
      done: (plc.get('state') & 4) !== 0,
      error: (plc.get('state') & 8) !== 0,
      code: plc.get('code'),
      echo: plc.get('echo'),
      counter: plc.get('counter'),
    })
    const until = (wanted: Partial<ReturnType<typeof state>>) =>
      eventually(() => void should(state()).match(wanted), patience)
    /** The program of the PLC: the next number when the cell is ready, then its echo. */
    const cycle = async (number: number) => {
      await until({ ready: true })
      plc.set('sequence', number)
      await until({ echo: number, busy: false })
      return state()
    }

    it('gives a pose for a trigger, once', async () => {
      await until({ ready: true, echo: 0 })
      for (const number of [1, 2])
        should(await cycle(number)).match({ done: true, error: false, code: 0, counter: number })
      should(plc.get('pose1_3')).be.above(100)
    })

    it('ends a cycle that a deploy interrupts with a code, and goes on', async () => {
      await until({ ready: true })
      plc.set('sequence', 3)
      await until({ busy: true })
      await red.deploy(nodes.map((node) => (node.type === 'tab' ? { ...node, label: 'again' } : node)))
      await until({ echo: 3, error: true, code: 206, counter: 2 })
      should(await cycle(4)).match({ done: true, code: 0, counter: 3 })
    })

    it('executes nothing that was set while the connection was lost', async () => {
      await plc.stop()
      await eventually(() => void should(red.output()).match(/PLC reports|No values of the PLC/), patience)
      plc.set('sequence', 5)
      await plc.start()
      await until({ echo: 5, error: true, counter: 3 })
      should([205, 206]).containEql(state().code)
      should(await cycle(6)).match({ done: true, code: 0, counter: 4 })
    })

    it('shows a PLC that comes back with empty memory no old answer', async () => {
      await plc.stop()
      plc.forget()
      await plc.start()
      await until({ ready: true, echo: 0, done: false })
      should(await cycle(1)).match({ done: true, code: 0, counter: 5 })
    })
  })

/** The example with free ports, and a detection that takes long enough to be interrupted. */
function prepared(name: string, ports: readonly number[], free: readonly number[]): FlowNode[] {
  const port = new RegExp(`(?<=[":])(${ports.join('|')})(?=["},])`, 'g')
  const text = JSON.stringify(exampleNodes(name)).replace(port, (written) =>
    String(free[ports.indexOf(Number(written))]),
  )
  const nodes = JSON.parse(text) as FlowNode[]
  const z = String(nodes[0]?.id)
  return nodes
    .filter(({ type }) => type !== 'inject')
    .flatMap((node): FlowNode[] => {
      if (node.type === 'vision-plc-handshake') return [{ ...node, deadline: 6 }]
      if (node.type !== 'vision-plc-trigger') return [node]
      const [to, ...others] = node['wires'] as string[][]
      const wait = { pauseType: 'delay', timeout: '2', timeoutUnits: 'seconds' }
      return [
        { ...node, wires: [['wait'], ...others] },
        { id: 'wait', type: 'delay', z, x: 0, y: 0, ...wait, wires: [to] },
      ]
    })
}
