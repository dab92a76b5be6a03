import should from 'should'
import ModbusRTU from 'modbus-serial'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import type { NodeRed } from '../support/node-red'
import { sharedNodeRed } from '../support/shared-node-red'

const onTab = { z: 'tab', x: 100, y: 100 }
const functionNode = (id: string, func: string, to: string) => ({
  ...onTab,
  id,
  type: 'function',
  func,
  outputs: 1,
  wires: [[to]],
})

/** Registers of *Sequence number with echo*. */
const register = { sequence: 0, job: 1, code: 8, state: 27, echo: 28 }

describe('a cell whose flow prepares the device', function () {
  this.timeout(60_000)
  let red: NodeRed
  let port: number
  let plc: ModbusRTU
  let start = 0

  const output = () => red.output().slice(start)
  const word = async (address: number) => (await plc.readHoldingRegisters(address, 1)).data[0] ?? -1
  const isReady = () => eventually(async () => should((await word(register.state)) & 1).equal(1))
  const ask = async (number: number, job: number) => {
    await plc.writeRegister(register.job, job)
    await plc.writeRegister(register.sequence, number)
    await eventually(async () => should(await word(register.echo)).equal(number))
    return new Int16Array([await word(register.code)])[0]
  }
  const deploy = async (preparation: string, work = 'return msg', more: object = {}) => {
    ;[port = 0] = await freePorts(1)
    start = red.output().length
    await red.deploy([
      { id: 'tab', type: 'tab', label: 'Cell' },
      { id: 'plc', type: 'vision-plc-handshake', name: '', port, ...more },
      {
        ...onTab,
        id: 'trigger',
        type: 'vision-plc-trigger',
        handshake: 'plc',
        wires: [['work'], ['events'], ['prepare']],
      },
      functionNode('work', work, 'result'),
      functionNode('events', 'node.warn(msg.vision.text)', ''),
      functionNode('prepare', preparation, 'result'),
      { ...onTab, id: 'repair', type: 'inject', props: [], once: false, wires: [['repaired']] },
      functionNode('repaired', 'flow.set("repaired", true)', ''),
      { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], []] },
    ])
    plc = await eventually(async () => {
      const client = new ModbusRTU()
      client.setTimeout(5000)
      await client.connectTCP('127.0.0.1', { port })
      return client
    })
    // The cell knows nothing of a PLC that has not written its number.
    await plc.writeRegister(register.sequence, 0)
  }

  before(async () => {
    red = await sharedNodeRed({})
  })
  afterEach(() => plc.close(() => undefined))
  after(() => red.deploy([]))

  it('is ready when the device is prepared, and answers triggers before with the reason', async () => {
    await deploy(`
      if (flow.get('repaired')) return msg
      throw Object.assign(new Error('no mode'), { code: 'TIMEOUT' })`)
    should(await ask(1, 0)).equal(202)
    await fetch(`${red.url}/inject/repair`, { method: 'POST' })
    await isReady()
    should(await ask(2, 0)).equal(0)
    should(output().match(/could not be prepared for triggers \(code 202\)/g)).have.length(1)
  })

  it('prepares the device again after a failed cycle, and not after one that a device ignored', async () => {
    await deploy(
      'node.warn("prepares"); return msg',
      `if (msg.payload.job === 1) throw Object.assign(new Error('gone'), { code: 'UNREACHABLE' })
       msg.service = msg.payload.job === 2 ? 'acquisition_trigger' : 'compute_grasps'
       msg.payload = { return_code: { value: msg.payload.job === 3 ? -7 : 101, message: '' } }
       return msg`,
    )
    const count = () => output().match(/prepares/g)?.length ?? 0
    await isReady()
    should(count()).equal(1)
    should(await ask(1, 2)).equal(101)
    should(await ask(2, 3)).equal(-7)
    // 101 of another service is a remark.
    should(await ask(3, 4)).equal(0)
    should(count()).equal(1)
    should(await ask(4, 1)).equal(201)
    await eventually(() => should(count()).equal(2))
    await isReady()
    should(output()).match(/acquisition \d+ failed: result 101 \(ignored, a trigger is pending\), \d+ ms/)
    should(output()).match(/acquisition \d+ failed: result -7 \(refused by the device\), \d+ ms/)
    should(output()).match(/acquisition \d+: result 0 \(done\), \d+ ms/)
    should(output()).match(/acquisition \d+ failed: result 201 \(device not reachable\), \d+ ms/)
  })

  it('tells where the message never comes back', async () => {
    await deploy('', undefined, { deadline: 0.5 })
    should(await ask(1, 0)).be.oneOf(204, 208)
    await eventually(() => should(output()).match(/could not be prepared.*208.*did not reach a PLC result/))
  })
})
