import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { startDemo, type Demo } from '../support/demo'
import { freePorts } from '../support/free-ports'
import { modbusServer, type RegisterServer } from '../support/modbus-server'
import { connectPlc, type Plc } from '../support/plc'

type FlowNode = Record<string, unknown> & { id: string; type: string; z?: string }

const shipped = join(__dirname, '..', '..', '..', 'examples', 'first-acquisition.json')

/** The flow as in a real cell: without the simulated PLC and the virtual device, and with two addresses changed.
 * The image port is another one because a test must not have the usual one. */
const cellAlone = (hostPort: number, { url, ports }: VirtualDevice) =>
  (JSON.parse(readFileSync(shipped, 'utf8')) as FlowNode[])
    .filter(({ type }) => type !== 'vision-virtual-plc' && type !== 'vision-virtual-device')
    .map((node) => {
      if (node.type === 'vision-plc-handshake')
        return { ...node, connection: 'client', host: '127.0.0.1', hostPort, poll: 50 }
      if (node.type === 'vision-device-config')
        return { ...node, address: url, imagePort: ports.images?.port }
      return node
    })

/** A PLC of another make: registers behind a Modbus TCP server. */
function startPlc(port: number): Promise<RegisterServer> {
  const registers = new Uint16Array(64)
  return modbusServer(
    {
      get: (address) => registers[address] ?? 0,
      set: (address, value) => {
        registers[address] = value
      },
    },
    { port },
  )
}

describe('the cell of the example on its own, with another PLC and another device', () => {
  let home: string
  let demo: Demo
  let device: VirtualDevice
  let server: { stop: () => Promise<void> }
  let plc: Plc
  let port = 0

  const triggers = () => device.calls().filter(({ operation }) => operation === 'callService').length

  before(async () => {
    ;[port = 0] = await freePorts(1)
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
    server = await startPlc(port)
    plc = await connectPlc(port)
    home = mkdtempSync(join(tmpdir(), 'cellsight-'))
    writeFileSync(join(home, 'flows.json'), JSON.stringify(cellAlone(port, device)))
    demo = await startDemo({ home })
  })

  after(async () => {
    await plc.close()
    await server.stop()
    should(await demo.stop()).equal(0)
    await device.stop()
    rmSync(home, { recursive: true })
  })

  it('acquires', async () => {
    await plc.until(({ ready }) => ready)
    const answer = await plc.acquire()
    answer.should.containEql({ done: true, error: false, code: 0, counter: 1 })
  })

  it('sends the device one trigger for each one of the PLC', async () => {
    await plc.until(({ ready }) => ready)
    const before = triggers()
    await plc.acquire()
    triggers().should.equal(before + 1)
  })

  it('reconnects to the PLC after it was switched off and on', async () => {
    await plc.close()
    await server.stop()
    server = await startPlc(port)
    plc = await connectPlc(port)
    await plc.until(({ ready }) => ready)
    ;(await plc.acquire()).should.containEql({ done: true, code: 0 })
  })

  it('answers a trigger that was set while the cell was off with 205, without an acquisition', async () => {
    await plc.until(({ ready }) => ready)
    await demo.stop()
    await plc.trigger(true)
    const before = triggers()
    demo = await startDemo({ home })
    const answer = await plc.until(({ error }) => error)
    answer.should.containEql({ done: false, code: 205 })
    triggers().should.equal(before)
    await plc.trigger(false)
    await plc.until(({ ready }) => ready)
    ;(await plc.acquire()).should.containEql({ done: true, code: 0 })
  })
})
