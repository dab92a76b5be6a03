import ModbusRTU from 'modbus-serial'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import type { NodeRed } from '../support/node-red'
import { sharedNodeRed } from '../support/shared-node-red'

const onTab = { z: 'tab', x: 100, y: 100 }
/** Words of the family with sequence numbers. */
const register = { sequence: 0, code: 8, state: 27, echo: 28 }

describe('a deploy in the middle of a cycle', function () {
  this.timeout(300_000)
  let red: NodeRed
  let device: VirtualDevice
  let plc: ModbusRTU
  let port = 0
  /** @param name changes every node, as each full deploy restarts all of them */
  const flow = (between: object, name = '') => [
    { id: 'tab', type: 'tab', label: `Cell ${name}` },
    { id: 'device', type: 'vision-device-config', name: '', address: device.url, deadline: 600 },
    // Longer than any test: *ready* does not come by time.
    { id: 'plc', type: 'vision-plc-handshake', name: '', port, deadline: 3600 },
    { ...onTab, id: 'trigger', type: 'vision-plc-trigger', handshake: 'plc', wires: [['work'], [], []] },
    { ...onTab, id: 'work', wires: [['result']], ...between },
    { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], []] },
  ]
  const word = async (address: number) => (await plc.readHoldingRegisters(address, 1)).data[0] ?? -1
  const isReady = () => eventually(async () => should((await word(register.state)) & 1).equal(1))
  const connect = () =>
    eventually(async () => {
      plc = new ModbusRTU()
      plc.setTimeout(60_000)
      await plc.connectTCP('127.0.0.1', { port })
      // The server of the flows before may be there still.
      await word(register.state)
    })
  const scenario = async (change: object) =>
    fetch(`${device.url}/virtual/scenario`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    })

  before(async () => {
    ;[port = 0] = await freePorts(1)
    device = await startVirtualDevice({ port: 0 })
    red = await sharedNodeRed({})
  })
  afterEach(() => plc.close(() => undefined))
  after(async () => {
    await red.deploy([])
    await device.stop()
  })

  const call = {
    type: 'vision-call-service',
    device: 'device',
    node: 'dev_stereomatching',
    service: 'acquisition_trigger',
  }

  it('gives ready back at once where the node that worked reports its end', async () => {
    await red.deploy(flow(call))
    await connect()
    await plc.writeRegister(register.sequence, 0)
    await isReady()
    await scenario({ latency_ms: 600_000 })
    await plc.writeRegister(register.sequence, 5)
    await eventually(async () => should((await word(register.state)) & 2).equal(2))
    plc.close(() => undefined)
    await red.deploy(flow(call, 'deployed anew'))
    await connect()
    await plc.writeRegister(register.sequence, 5)
    await eventually(async () => should(await word(register.echo)).equal(5))
    should(await word(register.code)).equal(206)
    await scenario({ latency_ms: 0 })
    await isReady()
  })

  it('is not ready while the message of the interrupted cycle may be under way', async () => {
    const waits = { type: 'function', func: 'return null', outputs: 1 }
    await red.deploy(flow(waits))
    await connect()
    await plc.writeRegister(register.sequence, 0)
    await isReady()
    await plc.writeRegister(register.sequence, 6)
    await eventually(async () => should((await word(register.state)) & 2).equal(2))
    plc.close(() => undefined)
    await red.deploy(flow(waits, 'deployed anew'))
    await connect()
    await plc.writeRegister(register.sequence, 6)
    await eventually(async () => should(await word(register.echo)).equal(6))
    should((await word(register.state)) & 1).equal(0)
  })
})
