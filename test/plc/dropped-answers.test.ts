import should from 'should'
import ModbusRTU from 'modbus-serial'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import type { NodeRed } from '../support/node-red'
import { sharedNodeRed } from '../support/shared-node-red'

const onTab = { z: 'tab', x: 100, y: 100 }
const code = (id: string, func: string, wires: string[][]) => ({
  ...onTab,
  id,
  type: 'function',
  func,
  outputs: 1,
  wires,
})

describe('answers of a flow that belong to no cycle any more', function () {
  this.timeout(120_000)
  let red: NodeRed
  let plc: ModbusRTU | undefined

  before(async () => {
    red = await sharedNodeRed({})
  })
  after(async () => {
    plc?.close(() => undefined)
    await red.deploy([])
  })

  /** A cell with these nodes between; what it drops and tells is printed. @returns what has been printed since */
  async function deployed(port: number, deadline: number, work: object[]) {
    const before = red.output().length
    // Each with counters of its own.
    const id = `plc-${port}`
    await red.deploy([
      { id: 'tab', type: 'tab', label: 'Cell' },
      { id, type: 'vision-plc-handshake', name: '', family: 'sequence', port, deadline },
      {
        ...onTab,
        id: 'trigger',
        type: 'vision-plc-trigger',
        handshake: id,
        wires: [['work'], ['events']],
      },
      ...work,
      { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], ['dropped']] },
      code('dropped', 'node.warn(`dropped ${msg.reason}`)', [[]]),
      code('events', 'node.warn(`told ${msg.payload.event} ${msg.payload.dropped}`); return msg', [['held']]),
      code('held', 'if (msg.payload.event === "ended" && flow.get("held")) return flow.get("held")', [
        ['result'],
      ]),
    ])
    return () => red.output().slice(before)
  }

  /** Asks for one cycle. @returns code, counter and duration once the number is echoed */
  async function trigger(port: number) {
    plc?.close(() => undefined)
    const client = await eventually(async () => {
      const started = new ModbusRTU()
      started.setTimeout(1000)
      await started.connectTCP('127.0.0.1', { port })
      return started
    })
    plc = client
    const word = async (address: number) => (await client.readHoldingRegisters(address, 1)).data[0] ?? 0
    await client.writeRegister(0, 0)
    await eventually(async () => should((await word(27)) & 1).equal(1))
    await client.writeRegister(0, 1)
    await eventually(async () => should(await word(28)).equal(1))
    return { word, code: await word(8), counter: await word(9) }
  }

  it('are dropped, counted and told where a second one comes, or one with a token that nobody gave out', async () => {
    const [port = 0] = await freePorts(1)
    const twice = `
      const answer = (token) => ({ payload: 1, handshake: { ...msg.handshake, token } })
      node.send(answer(msg.handshake.token))
      node.send(answer(msg.handshake.token))
      node.send(answer('made up'))`
    const output = await deployed(port, 60, [code('work', twice, [['result']])])
    const { word, ...answer } = await trigger(port)
    should(answer).eql({ code: 0, counter: 1 })
    for (const text of ['dropped second', 'dropped foreign', 'told second 1', 'told foreign 2'])
      await eventually(() => void output().should.containEql(text))
    should([await word(8), await word(9)]).eql([0, 1])
  })

  it('are dropped, counted and told where one comes after the deadline', async () => {
    const [port = 0] = await freePorts(1)
    const holds = code('work', 'flow.set("held", msg)', [[]])
    const output = await deployed(port, 0.1, [holds])
    const { word, ...answer } = await trigger(port)
    should(answer).eql({ code: 208, counter: 0 })
    for (const text of ['told no-answer 0', 'dropped late', 'told late 1'])
      await eventually(() => void output().should.containEql(text))
    should([await word(8), await word(9)]).eql([208, 0])
  })
})
