import ModbusRTU from 'modbus-serial'
import should from 'should'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { startNodeRed, type NodeRed } from '../support/node-red'

/** Words of the family with sequence numbers. */
const [sequence, state, echo] = [0, 27, 28]

describe('two handshakes on one port', function () {
  this.timeout(300_000)
  let red: NodeRed
  let port = 0
  const plcs: ModbusRTU[] = []
  const onTab = { z: 'tab', x: 100, y: 100 }
  const flow = (b: object) => [
    { id: 'tab', type: 'tab', label: 'Cell' },
    { id: 'a', type: 'vision-plc-handshake', name: 'Cell A', port },
    { id: 'b', type: 'vision-plc-handshake', name: 'Cell B', port, ...b },
    { ...onTab, id: 'trigger a', type: 'vision-plc-trigger', handshake: 'a', wires: [['result'], [], []] },
    { ...onTab, id: 'trigger b', type: 'vision-plc-trigger', handshake: 'b', wires: [['result'], [], []] },
    { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], []] },
  ]
  const links = async () =>
    Promise.all(
      ['a', 'b'].map(async (id) => {
        const { port: listens, trouble = '' } = (await red.get(`/vision-devices/plc/${id}`)) as {
          port?: number
          trouble?: string
        }
        return { listens: listens !== undefined, trouble }
      }),
    )
  const refused = async () => {
    const both = await links()
    should(both.filter(({ listens }) => listens)).have.length(1)
    return both.find(({ listens }) => !listens)?.trouble
  }
  const bothListen = () =>
    eventually(async () =>
      should(await links()).eql([
        { listens: true, trouble: '' },
        { listens: true, trouble: '' },
      ]),
    )
  const connect = () =>
    eventually(async () => {
      const client = new ModbusRTU()
      client.setTimeout(60_000)
      await client.connectTCP('127.0.0.1', { port })
      plcs.push(client)
      return client
    })
  /** One trigger from beginning to end. @param offset of the map */
  const cycle = async (plc: ModbusRTU, unit: number, number: number, offset = 0) => {
    plc.setID(unit)
    const read = async (address: number) => (await plc.readHoldingRegisters(offset + address, 1)).data[0] ?? 0
    await plc.writeRegister(offset + sequence, 0)
    await eventually(async () => should((await read(state)) & 1).equal(1))
    await plc.writeRegister(offset + sequence, number)
    await eventually(async () => should(await read(echo)).equal(number))
  }
  const counts = async (id: string) =>
    ((await red.get(`/vision-devices/plc/${id}`)) as { counts: { done: number } }).counts.done

  before(async () => {
    ;[port = 0] = await freePorts(1)
    red = await startNodeRed({ flows: flow({}) })
  })
  after(async () => {
    for (const plc of plcs) plc.close(() => undefined)
    await red.stop()
  })

  it('are refused on the same registers, by a sentence that names both, and one of them works', async () => {
    await eventually(async () =>
      should(await refused()).match(
        /Cell [AB] and Cell [AB] share port \d+ and unit 1, and both have register 0\. Give one/,
      ),
    )
    should(red.output()).match(/share port/)
  })

  it('are refused where one of them listens on all addresses', async () => {
    await red.deploy(flow({ listen: '0.0.0.0', allow: '127.0.0.1' }))
    await eventually(async () => should(await refused()).match(/listen on port \d+ of different addresses/))
  })

  it('share it as two units, each with its own triggers', async () => {
    await red.deploy(flow({ unitId: 2 }))
    await bothListen()
    const [one, other] = [await connect(), await connect()]
    await cycle(one, 1, 7)
    await cycle(other, 2, 8)
    await cycle(other, 2, 9)
    should([await counts('a'), await counts('b')]).eql([1, 2])
  })

  it('share it as two blocks of one unit, by one connection', async () => {
    await red.deploy(flow({ offset: 100 }))
    await bothListen()
    const plc = await connect()
    await cycle(plc, 1, 3)
    await cycle(plc, 1, 4, 100)
    should([await counts('a'), await counts('b')]).eql([1, 1])
  })

  it('leave the other one connected where only one is deployed anew', async () => {
    const plc = await connect()
    plc.setID(1)
    await plc.readHoldingRegisters(27, 1)
    const { ok } = await fetch(`${red.url}/flows`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'node-red-api-version': 'v2',
        'node-red-deployment-type': 'nodes',
      },
      body: JSON.stringify({ flows: flow({ offset: 200 }) }),
    })
    should(ok).be.true()
    await bothListen()
    should((await plc.readHoldingRegisters(27, 1)).data).have.length(1)
    await cycle(plc, 1, 5, 200)
  })

  it('both work as soon as one has another port', async () => {
    const [another = 0] = await freePorts(1)
    await red.deploy(flow({ port: another }))
    await bothListen()
  })
})
