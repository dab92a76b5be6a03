import should from 'should'
import { openMap } from '../../lib/plc/data'
import { families } from '../../lib/plc/families'
import { PlcCell } from '../../lib/plc/handshake/cell'
import { openMessagePort, openServerPort, type PlcPort, type PortEvents } from '../../lib/plc/handshake/ports'
import { MessageLink, messageProtocols, presetLines, type MessageProtocolId } from '../../lib/plc/messages'
import { modbusPlcServer, ownMemory } from '../../lib/plc/virtual/virtual-plc'
import { linkOf } from '../../nodes/plc/handshake-of'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { rawClient } from './support/raw-client'

type Values = Record<string, unknown>

describe('what proves that a PLC takes part', () => {
  const open: { close: () => unknown }[] = []
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close()
  })

  async function cellOf(openPort: (events: PortEvents) => Promise<PlcPort> | PlcPort) {
    const tokens: string[] = []
    let count = 0
    const cell = await PlcCell.open(
      { family: families.sequence, newToken: () => `token-${++count}`, openPort },
      { onStart: ({ token }) => void tokens.push(token) },
    )
    open.push(cell)
    cell.hear({ type: 'device', ready: true })
    return { cell, tokens }
  }

  /** A cell behind nodes that read and write; what is written comes back only if the test sends it. */
  async function messageCell(id: MessageProtocolId) {
    const protocol = messageProtocols[id]
    const lines = presetLines(families.sequence, protocol)
    const link = new MessageLink()
    const sent: { payload: Values }[] = []
    link.join((message) => void sent.push(message as { payload: Values }))
    const map = openMap({ by: protocol.by, lines })
    const made = await cellOf((events) =>
      openMessagePort({ protocol, link, request: 'sequence', silent: 60_000 }, map, events),
    )
    const memory: Values = {
      echo: 0,
      state: 0,
      code: 0,
      counter: 0,
      duration: 0,
      jobEcho: 0,
      count: 0,
      life: 0,
    }
    return {
      ...made,
      link,
      sent,
      /** The reader reads the PLC, which has everything that was sent. */
      readBack: (sequence: number) => {
        for (const { variable, payload } of sent.splice(0) as unknown as {
          variable: string[]
          payload: unknown[]
        }[])
          variable.forEach((name, index) => (memory[name] = payload[index]))
        link.hear({ payload: { sequence, ...memory } })
      },
    }
  }

  it('is what reads back of the words of the cell, where anything does', async () => {
    const { cell, link, readBack } = await messageCell('s7')
    link.hear({ payload: { sequence: 1, life: 0 } })
    should(cell.isUp).be.true()
    should({ heard: cell.isHeard, link: linkOf({ cell, isUsed: true }) }).eql({ heard: false, link: 'down' })
    readBack(1)
    await eventually(() => {
      readBack(1)
      should(cell.isHeard).be.true()
    })
    should(linkOf({ cell, isUsed: true })).equal('up')
  })

  it('is a value of the PLC where nothing reads back, and none that a broker has kept', async () => {
    const { cell, link } = await messageCell('mqtt')
    link.hear({ payload: { sequence: 1 }, retain: true })
    await eventually(() => should(cell.phase).equal('ready'))
    should(cell.isHeard).be.false()
    link.hear({ payload: { sequence: 1 } })
    await eventually(() => should(cell.isHeard).be.true())
  })

  it('is a request of the PLC in memory of the cell: a connection alone proves nothing', async () => {
    const map = openMap({ lines: families.sequence.map })
    const { cell } = await cellOf((events) => openServerPort({ port: 0 }, map, events))
    const plc = await rawClient(cell.port?.figures.port ?? 0)
    open.push(plc)
    await eventually(() => should(cell.isUp).be.true())
    should(linkOf({ cell, isUsed: true })).equal('down')
    plc.send(Buffer.from('0001000000060103000000' + '01', 'hex'))
    await eventually(() => should(linkOf({ cell, isUsed: true })).equal('up'))
  })

  it('is a request of the cell in memory of a virtual PLC', async () => {
    const [port = 0] = await freePorts(1)
    const map = openMap({ lines: families.sequence.map })
    const memory = ownMemory(modbusPlcServer({ host: '127.0.0.1', port, unit: 1 }), map, 1)
    open.push(memory)
    await memory.opened
    const cell = await rawClient(port)
    open.push(cell)
    should(memory.isOpen).be.false()
    cell.send(Buffer.from('0001000000060103000000' + '01', 'hex'))
    await cell.receive(11)
    should(memory.isOpen).be.true()
  })

  it('is missing for a result that has not read back when the connection is lost', async () => {
    const { cell, link, tokens, readBack } = await messageCell('s7')
    readBack(1)
    await eventually(() => {
      readBack(1)
      should(cell.phase).equal('ready')
    })
    readBack(2)
    const [token = ''] = tokens
    const taken = cell.answer(token, { count: 3 })
    link.hear({ status: { fill: 'red', text: 'offline', source: { id: 'reader' } } })
    should(await taken).equal('undelivered')
  })

  it('has a time: a PLC that reads back slowly is called slow', async () => {
    const { cell, readBack } = await messageCell('s7')
    readBack(1)
    const slow = setInterval(() => readBack(1), 400)
    try {
      await eventually(() => should(cell.slowness).be.aboveOrEqual(300))
    } finally {
      clearInterval(slow)
    }
  })
})
