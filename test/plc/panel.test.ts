import ModbusRTU from 'modbus-serial'
import should from 'should'
import type { HandshakeSnapshot } from '../../nodes/plc/handshake-snapshot'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { startNodeRed, type NodeRed } from '../support/node-red'

const onTab = { z: 'tab', x: 100, y: 100 }
/** Words of the family with sequence numbers. */
const word = { sequence: 0, bits: 3, code: 8, state: 27, echo: 28 } as const
const manualAllowed = 2

describe('the panel of a handshake', function () {
  this.timeout(60_000)
  let red: NodeRed
  let plc: ModbusRTU
  let port: number

  before(async () => {
    ;[port = 0] = await freePorts(1)
    const func = `
      if (msg.payload.manual) { node.warn('by hand'); msg.score = 0.5 }
      setTimeout(() => { node.send(msg); node.done() }, 20)`
    const log = `
      const { event, accepted, times } = msg.payload
      node.warn(['told', event, accepted, times.cycles?.count, typeof times.reactions?.p99].join(' '))`
    red = await startNodeRed({
      flows: [
        { id: 'tab', type: 'tab', label: 'Cell' },
        { id: 'plc', type: 'vision-plc-handshake', name: '', port },
        { id: 'idle', type: 'vision-plc-handshake', name: '', port: 1 },
        { ...onTab, id: 'trigger', type: 'vision-plc-trigger', handshake: 'plc', wires: [['work'], ['log']] },
        { ...onTab, id: 'work', type: 'function', func, outputs: 1, wires: [['result']] },
        { ...onTab, id: 'log', type: 'function', func: log, outputs: 0, wires: [] },
        { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], []] },
      ],
    })
    plc = await eventually(async () => {
      const client = new ModbusRTU()
      client.setTimeout(5000)
      await client.connectTCP('127.0.0.1', { port })
      return client
    })
  })
  after(async () => {
    plc.close(() => undefined)
    await red.stop()
  })

  const look = async (id = 'plc', language = 'en-US') => {
    const answer = await fetch(`${red.url}/vision-devices/plc/${id}`, {
      headers: { 'accept-language': language },
    })
    return { status: answer.status, body: (await answer.json()) as HandshakeSnapshot & { message: string } }
  }
  const until = (wanted: object) =>
    eventually(async () => {
      const { body } = await look()
      should(body).match(wanted)
      return body
    })
  const triggerByHand = async (headers: Record<string, string> = { 'content-type': 'application/json' }) => {
    const answer = await fetch(`${red.url}/vision-devices/plc/plc/trigger`, {
      method: 'POST',
      headers,
      body: '{}',
    })
    return { status: answer.status, body: (await answer.json()) as HandshakeSnapshot & { message: string } }
  }
  const state = async (...bits: string[]) => {
    const names = ['ready', 'busy', 'done', 'error']
    await eventually(async () => {
      const { data } = await plc.readHoldingRegisters(word.state, 1)
      should(names.filter((_, bit) => ((data[0] ?? 0) >> bit) & 1)).eql(bits)
    })
  }

  it('says that a handshake is not deployed, or that nothing works with it', async () => {
    should(await look('nobody')).match({ status: 404, body: { message: /not deployed yet/ } })
    should(await look('trigger')).match({ status: 404 })
    should((await look('idle')).body).match({ link: 'unused', phase: 'unknown', plc: [], cell: [] })
  })

  it('shows the words of both sides, the connection, the counters, and how long a cycle took', async () => {
    await plc.writeRegister(word.sequence, 0)
    await state('ready')
    await plc.writeRegister(word.sequence, 1)
    await state('ready', 'done')
    const shown = await until({ phase: 'ready', link: 'up', counts: { accepted: 1, done: 1 } })
    should(shown.clients).eql(['127.0.0.1'])
    should(shown.port).equal(port)
    should(shown.code).eql({ value: 0, text: 'Done' })
    should(shown.age).be.aboveOrEqual(0)
    should(shown.heard).be.aboveOrEqual(0)
    should(shown.cycles).match({ count: 1 })
    should(shown.cycles?.p50).be.aboveOrEqual(15)
    should(shown.reactions).match({ count: 1 })
    const lamps = Object.fromEntries([...shown.plc, ...shown.cell].map(({ row, value }) => [row, value]))
    should(lamps).match({ sequence: 1, manualAllowed: false, ready: true, done: true, sequenceEcho: 1 })
    const [counter] = shown.cell.filter(({ row }) => row === 'counter')
    should(counter).eql({ row: 'counter', name: 'Successful cycles', value: 1, words: [1] })
  })

  it('is in the list of all handshakes in a line each', async () => {
    const answer = await fetch(`${red.url}/vision-devices/plc`)
    should(await answer.json()).match({
      plc: { phase: 'ready', link: 'up', counts: { accepted: 1, missed: 0 } },
      idle: { phase: 'unknown', link: 'unused' },
    })
  })

  it('has its counters and times in the messages about cycles too', () =>
    eventually(() => should(red.output()).containEql('told ended 1 1 number')))

  it('is in the language of the editor', async () => {
    const { body } = await look('plc', 'de')
    should(body.cell.find(({ row }) => row === 'ready')?.name).equal('Bereit')
    should(body.code?.text).equal('Fertig')
  })

  it('triggers by hand only while the PLC allows it, and tells the PLC nothing of the result', async () => {
    should((await look()).body.manual).eql({ may: 'notAllowed' })
    should(await triggerByHand()).match({ status: 409, body: { message: /not allowed now/ } })
    await plc.writeRegister(word.bits, manualAllowed)
    await until({ manual: { may: 'yes' } })
    const before = await plc.readHoldingRegisters(word.code, 18)
    should(await triggerByHand({ 'content-type': 'text/plain' })).match({ status: 400 })
    should((await triggerByHand()).body.manual).match({ may: 'notNow', last: { state: 'running' } })
    const { manual, counts } = await until({ manual: { last: { state: 'done' } } })
    should(manual.last?.code).eql({ value: 0, text: 'Done' })
    should(manual.last?.duration).be.aboveOrEqual(15)
    should(manual.last?.results?.find(({ row }) => row === 'count')?.value).equal(0)
    should(counts).match({ accepted: 1, done: 1 })
    should((await plc.readHoldingRegisters(word.code, 18)).data).eql(before.data)
    should((await plc.readHoldingRegisters(word.echo, 1)).data).eql([1])
    should(red.output()).containEql('by hand')
  })

  it('answers the trigger of the PLC after that of a hand', async () => {
    await until({ manual: { may: 'yes' } })
    await triggerByHand()
    await plc.writeRegister(word.sequence, 2)
    await eventually(async () => {
      should((await plc.readHoldingRegisters(word.echo, 1)).data).eql([2])
    })
    await until({ counts: { accepted: 2, done: 2, dropped: 0 }, manual: { last: { state: 'done' } } })
  })
})
