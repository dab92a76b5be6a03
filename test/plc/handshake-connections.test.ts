import { createServer } from 'node:net'
import should from 'should'
import ModbusRTU from 'modbus-serial'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { listening } from '../support/listening'
import { modbusServer } from '../support/modbus-server'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { memoryPlc, scriptedPlc } from './support/scripted-plc'

const onTab = { z: 'tab', x: 100, y: 100 }

/** Ends what a test that failed has left. */
const open = new Set<() => unknown>()

/** The words of a PLC that is a Modbus server, by a library that is not ours. */
async function startPlc(port: number) {
  const words = new Map<number, number>()
  const { stop } = await modbusServer(
    { get: (address) => words.get(address) ?? 0, set: (address, value) => void words.set(address, value) },
    { port, unitID: 255 },
  )
  open.add(stop)
  return {
    words,
    stop: () => {
      open.delete(stop)
      return stop()
    },
  }
}

const flow = (handshake: object, answer = '') => [
  { id: 'tab', type: 'tab', label: 'Cell' },
  { id: 'plc', type: 'vision-plc-handshake', name: '', ...handshake },
  { ...onTab, id: 'trigger', type: 'vision-plc-trigger', handshake: 'plc', wires: [['work'], []] },
  { ...onTab, id: 'work', type: 'function', func: `${answer}\nreturn msg`, outputs: 1, wires: [['result']] },
  { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], []] },
]

const pose = `{ position: { x: 0.1, y: -0.2, z: 0.3 }, orientation: { x: 0, y: 0, z: 0, w: 1 } }`

describe('the connections of a PLC handshake', () => {
  let red: NodeRed
  before(async () => {
    red = await startNodeRed()
  })
  afterEach(async () => {
    for (const close of open) await close()
    open.clear()
  })
  after(() => red.stop())

  it('polls a PLC that is a server, answers by sequence numbers with poses, and goes on after a restart of it', async () => {
    const [hostPort = 0] = await freePorts(1)
    let plc = await startPlc(hostPort)
    await red.deploy(
      flow(
        { connection: 'client', host: '127.0.0.1', hostPort, poll: 10, family: 'sequence' },
        `msg.poses = [${pose}]`,
      ),
    )
    const word = (address: number) => plc.words.get(address) ?? 0
    const ready = () => eventually(() => Promise.resolve(should(word(27) & 1).equal(1)))
    const echo = (number: number) => eventually(() => Promise.resolve(should(word(28)).equal(number)))
    const real = (address: number) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt16BE(word(address), 0)
      bytes.writeUInt16BE(word(address + 1), 2)
      return bytes.readFloatBE(0)
    }

    await ready()
    for (const number of [7, 8]) {
      plc.words.set(0, number)
      await echo(number)
      should({ code: word(8), counter: word(9), count: word(12) }).eql({
        code: 0,
        counter: number - 6,
        count: 1,
      })
      for (const [index, value] of [100, -200, 300].entries())
        should(real(14 + 2 * index)).be.approximately(value, 1e-3)
    }

    await plc.stop()
    plc = await startPlc(hostPort)
    // Its memory is empty: the old echo is gone, and nothing is executed.
    await ready()
    should(word(28)).equal(0)
    plc.words.set(0, 9)
    await echo(9)
    should(word(9)).equal(3)
  })

  it('leaves a register of the PLC alone that a map of ones own has no line for', async () => {
    const [hostPort = 0] = await freePorts(1)
    const plc = await startPlc(hostPort)
    plc.words.set(2, 77)
    const map = JSON.stringify([
      { row: 'sequence', address: 0, type: 'UINT' },
      { row: 'ready', address: 1, bit: 0, type: 'bit' },
      { row: 'sequenceEcho', address: 3, type: 'UINT' },
    ])
    await red.deploy(
      flow({ connection: 'client', host: '127.0.0.1', hostPort, poll: 10, family: 'sequence', map }),
    )
    const word = (address: number) => plc.words.get(address) ?? 0
    await eventually(() => Promise.resolve(should(word(1)).equal(1)))
    plc.words.set(0, 5)
    await eventually(() => Promise.resolve(should(word(3)).equal(5)))
    should(word(2)).equal(77)
  })

  it('tells a result that does not fit its register by a code, not by a wrong number', async () => {
    const [port = 0] = await freePorts(1)
    await red.deploy(flow({ port, family: 'sequence' }, 'msg.count = 70000'))
    const plc = await connected(port)
    const word = async (address: number) => (await plc.readHoldingRegisters(address, 1)).data[0]
    await plc.writeRegister(0, 1)
    await eventually(async () => should(((await word(27)) ?? 0) & 1).equal(1))
    await plc.writeRegister(0, 2)
    await eventually(async () => should(await word(28)).equal(2))
    should(await word(8)).equal(209)
    should(await word(12)).equal(0)
  })

  it('never calls a PLC simply ready that answers slowly: the status has the time', async () => {
    const { respond } = memoryPlc()
    const plc = await scriptedPlc((request) => void setTimeout(() => respond(request), 350))
    open.add(plc.stop)
    const before = red.output().length
    await red.deploy([
      ...flow({ connection: 'client', host: '127.0.0.1', hostPort: plc.port, poll: 10, family: 'sequence' }),
      { ...onTab, id: 'status', type: 'status', scope: ['trigger'], wires: [['log']] },
      {
        ...{ ...onTab, id: 'log', type: 'debug', active: true, console: true, tosidebar: false },
        ...{ complete: 'status.text', targetType: 'msg', wires: [] },
      },
    ])
    const shown = () => red.output().slice(before)
    await eventually(() => should(shown()).match(/\] slow PLC: [\d.]+ m?s/))
    should(shown()).not.match(/\] ready/)
  })

  it('reports once that a PLC accepts connections and ends them', async () => {
    let attempts = 0
    const plc = await listening(
      createServer((socket) => {
        attempts++
        socket.end()
      }),
    )
    open.add(plc.stop)
    const before = red.output().length
    await red.deploy(flow({ connection: 'client', host: '127.0.0.1', hostPort: plc.port, poll: 10 }))
    await eventually(() => should(attempts).be.aboveOrEqual(6))
    const lines = red.output().slice(before).split('\n')
    should(lines.filter((line) => line.includes(`:${plc.port}`)).length).equal(1)
  })

  it('lets nobody in whose address is not listed', async () => {
    const [port = 0] = await freePorts(1)
    await red.deploy(flow({ port, allow: '127.0.0.9', family: 'four-phases' }))
    const plc = await connected(port)
    await should(plc.readHoldingRegisters(1, 1)).be.rejected()
    should(red.output()).match(/127\.0\.0\.1 tried to connect and is not among the allowed PLCs/)
  })

  it('says in the log that a port is taken, and what to do', async () => {
    const [port = 0] = await freePorts(1)
    await startPlc(port)
    await red.deploy(flow({ port }))
    await eventually(() => Promise.resolve(should(red.output()).match(/port.*\d+.*(taken|use)/i)))
  })

  it('refuses a second trigger node on one handshake', async () => {
    const [port = 0] = await freePorts(1)
    await red.deploy([
      ...flow({ port }),
      { ...onTab, id: 'second', type: 'vision-plc-trigger', handshake: 'plc', wires: [[], []] },
    ])
    await eventually(() =>
      Promise.resolve(should(red.output()).match(/Two PLC trigger nodes use the same handshake/)),
    )
  })
})

async function connected(port: number): Promise<ModbusRTU> {
  return eventually(async () => {
    const client = new ModbusRTU()
    client.setTimeout(1000)
    await client.connectTCP('127.0.0.1', { port })
    open.add(() => client.close(() => undefined))
    return client
  })
}
