import { connect } from 'node:net'
import { once } from 'node:events'
import * as jsmodbus from 'jsmodbus'
import ModbusRTU from 'modbus-serial'
import should from 'should'
import {
  startModbusServer,
  type ModbusServer,
  type ModbusServerOptions,
  type ServedWrite,
} from '../../../lib/plc/modbus'
import type { PlcError } from '../../../lib/plc/plc-error'
import { eventually } from '../../support/eventually'
import { freePorts } from '../../support/free-ports'
import { rawClient, type RawClient } from '../support/raw-client'
import { rawFrame } from '../support/scripted-plc'

const blocks = {
  registers: [
    { address: 0, count: 1, writable: true },
    { address: 1, count: 5 },
    { address: 100, count: 20, writable: true },
  ],
  coils: [{ address: 8, count: 16, writable: true }],
}

describe('Modbus server', () => {
  const open: { close: () => unknown }[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })

  let server: ModbusServer
  const writes: ServedWrite[] = []
  const refused: string[] = []
  const errors: PlcError[] = []
  let onWrite: (write: ServedWrite) => void

  async function serve(options: Partial<ModbusServerOptions> = {}) {
    for (const list of [writes, refused, errors]) list.length = 0
    onWrite = (write) => writes.push(write)
    server = await startModbusServer(
      { port: 0, blocks, ...options },
      {
        onWrite: (write) => onWrite(write),
        onRefused: (address) => refused.push(address),
        onError: (error) => errors.push(error),
      },
    )
    open.push(server)
    return server
  }
  async function client(): Promise<RawClient> {
    const each = await rawClient(server.port)
    open.push(each)
    return each
  }
  /** The PDU that answers a PDU. */
  async function asked(pdu: readonly number[], unit = 1, raw?: RawClient): Promise<number[]> {
    const by = raw ?? (await client())
    by.send(rawFrame(pdu, { unit }))
    const head = await by.receive(6)
    return [...(await by.receive(head.readUInt16BE(4)))].slice(1)
  }

  describe('with modbus-serial as the PLC', () => {
    async function plc(host = '127.0.0.1'): Promise<ModbusRTU> {
      const each = new ModbusRTU()
      each.setID(1)
      each.setTimeout(5000)
      await each.connectTCP(host, { port: server.port })
      open.push({ close: () => each.close(() => {}) })
      return each
    }

    it('reads what the cell set, and hands on what the PLC wrote, in its order', async () => {
      // All requests are counted: not those of a poller elsewhere that had a server at this port before.
      await serve({ host: '127.0.0.76' })
      const each = await plc('127.0.0.76')
      server.set([
        { area: 'registers', address: 1, value: 1 },
        { area: 'registers', address: 2, value: 65528 },
      ])
      ;(await each.readHoldingRegisters(0, 6)).data.should.deepEqual([0, 1, 65528, 0, 0, 0])
      ;(await each.readInputRegisters(1, 2)).data.should.deepEqual([1, 65528])
      await each.writeRegister(0, 1)
      await each.writeRegister(0, 0)
      await each.writeRegisters(100, [7, 8, 9])
      await each.writeCoil(9, true)
      await each.writeCoils(16, [true, false, true])
      writes.should.deepEqual([
        { area: 'registers', address: 0, values: [1], client: '127.0.0.1' },
        { area: 'registers', address: 0, values: [0], client: '127.0.0.1' },
        { area: 'registers', address: 100, values: [7, 8, 9], client: '127.0.0.1' },
        { area: 'coils', address: 9, values: [1], client: '127.0.0.1' },
        { area: 'coils', address: 16, values: [1, 0, 1], client: '127.0.0.1' },
      ])
      const coils = await each.readCoils(8, 16)
      coils.data.indexOf(true).should.equal(1)
      coils.data.filter(Boolean).should.have.length(3)
      ;(await each.readDiscreteInputs(8, 2)).data.slice(0, 2).should.deepEqual([false, true])
      server.counts.should.containEql({ requests: 9, writes: 5, exceptions: 0 })
    })

    it('answers exceptions that the PLC tells apart', async () => {
      await serve()
      const each = await plc()
      await each.readHoldingRegisters(0, 7).should.be.rejectedWith({ modbusCode: 2 })
      await each.writeRegister(1, 1).should.be.rejectedWith({ modbusCode: 2 })
      await each.writeRegisters(0, [1, 1]).should.be.rejectedWith({ modbusCode: 2 })
      await each.readHoldingRegisters(65_535, 2).should.be.rejectedWith({ modbusCode: 2 })
      await each.readDeviceIdentification(1, 0).should.be.rejectedWith({ modbusCode: 1 })
      writes.should.be.empty()
    })
  })

  it('writes and reads in one request', async () => {
    await serve()
    onWrite = () => server.set([{ area: 'registers', address: 1, value: 2 }])
    ;(await asked([23, 0, 0, 0, 2, 0, 0, 0, 1, 2, 0, 1])).should.deepEqual([23, 4, 0, 1, 0, 2])
  })

  it('serves jsmodbus too', async () => {
    await serve()
    const socket = connect({ host: '127.0.0.1', port: server.port })
    open.push({ close: () => socket.destroy() })
    const plc = new jsmodbus.client.TCP(socket, 1, 5000)
    await once(socket, 'connect')
    await plc.writeMultipleRegisters(100, [1, 2, 3])
    await plc.writeSingleRegister(0, 9)
    await plc.writeSingleCoil(8, true)
    const registers = await plc.readHoldingRegisters(100, 3)
    registers.response.body.valuesAsArray.should.deepEqual([1, 2, 3])
    const coils = await plc.readCoils(8, 8)
    coils.response.body.valuesAsArray[0]?.should.equal(1)
    await plc.readHoldingRegisters(50, 1).should.be.rejected()
    server.counts.should.containEql({ writes: 3, exceptions: 1 })
  })

  describe('refuses with exception 3', () => {
    const wrong = {
      'no registers': [3, 0, 0, 0, 0],
      'too many registers': [3, 0, 0, 0, 126],
      'a request cut short': [3, 0, 0, 0],
      'a request with more': [3, 0, 0, 0, 1, 0],
      'no coils': [1, 0, 8, 0, 0],
      'too many coils': [1, 0, 8, 8, 0],
      'a coil that is neither on nor off': [5, 0, 8, 1, 0],
      'a write of more registers than it brings': [16, 0, 100, 0, 2, 4, 0, 1],
      'a write with a wrong number of bytes': [16, 0, 100, 0, 2, 2, 0, 1, 0, 2],
      'a write of nothing': [16, 0, 100, 0, 0, 0],
      'a write that ends early': [16, 0, 100],
      'coils with a wrong number of bytes': [15, 0, 8, 0, 9, 1, 255],
      'a write and read that ends early': [23, 0, 0, 0, 1, 0, 0, 0, 1],
    }
    for (const [what, pdu] of Object.entries(wrong))
      it(what, async () => {
        await serve()
        ;(await asked(pdu)).should.deepEqual([(pdu[0] ?? 0) | 0x80, 3])
        writes.should.be.empty()
      })
  })

  it('answers as itself under 0 and 255, and with exception 11 for units that are not there', async () => {
    await serve({ unit: 7 })
    for (const unit of [7, 0, 255]) (await asked([3, 0, 0, 0, 1], unit)).should.deepEqual([3, 2, 0, 0])
    ;(await asked([3, 0, 0, 0, 1], 8)).should.deepEqual([0x83, 11])
    ;(await asked([6, 0, 0, 0, 1], 8)).should.deepEqual([0x86, 11])
    writes.should.be.empty()
  })

  it('answers requests that come together, cut anywhere, in their order', async () => {
    await serve()
    const each = await client()
    const requests = Buffer.concat([
      rawFrame([6, 0, 0, 0, 1], { transaction: 1 }),
      rawFrame([3, 0, 0, 0, 1], { transaction: 2 }),
      rawFrame([6, 0, 0, 0, 0], { transaction: 3 }),
      rawFrame([3, 0, 0, 0, 1], { transaction: 4 }),
    ])
    for (const byte of requests) each.send(Buffer.of(byte))
    const answers = await each.receive(12 + 11 + 12 + 11)
    answers
      .toString('hex')
      .should.equal(
        [
          rawFrame([6, 0, 0, 0, 1], { transaction: 1 }),
          rawFrame([3, 2, 0, 1], { transaction: 2 }),
          rawFrame([6, 0, 0, 0, 0], { transaction: 3 }),
          rawFrame([3, 2, 0, 0], { transaction: 4 }),
        ]
          .map((frame) => frame.toString('hex'))
          .join(''),
      )
    writes.map(({ values }) => values[0]).should.deepEqual([1, 0])
  })

  it('shows the next read what the cell set in answer to a write', async () => {
    await serve()
    onWrite = ({ values: [value = 0] }) => server.set([{ area: 'registers', address: 1, value: value + 1 }])
    const each = await client()
    each.send(Buffer.concat([rawFrame([6, 0, 0, 0, 41]), rawFrame([3, 0, 1, 0, 1])]))
    ;[...(await each.receive(12 + 11))].slice(-2).should.deepEqual([0, 42])
  })

  it('answers exception 4, and says so, where the cell cannot process a write', async () => {
    await serve()
    onWrite = () => {
      throw new Error('broken')
    }
    ;(await asked([6, 0, 0, 0, 1])).should.deepEqual([0x86, 4])
    errors.should.have.length(1)
    errors[0]?.should.have.properties({ code: 'INTERNAL' })
    errors[0]?.message.should.containEql('broken')
  })

  it('ends a connection that does not speak Modbus, with a reason, and keeps the others', async () => {
    await serve()
    const [good, bad] = [await client(), await client()]
    bad.send(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    await bad.ended
    errors
      .map(({ code, key }) => ({ code, key }))
      .should.deepEqual([{ code: 'BAD_REPLY', key: 'modbus-client-protocol' }])
    ;(await asked([3, 0, 0, 0, 1], 1, good)).should.deepEqual([3, 2, 0, 0])
    server.counts.faults.should.equal(1)
  })

  it('closes connections of hosts that are not listed, counts them and tells who it was', async () => {
    await serve({ allow: ['127.0.0.9', '10.0.0.0/8', '::1'] })
    const each = await client()
    await each.ended
    await eventually(() => refused.should.deepEqual(['127.0.0.1']))
    server.counts.refused.should.equal(1)
    server.clients.should.be.empty()
    const listed = connect({ host: '127.0.0.1', port: server.port, localAddress: '127.0.0.9' })
    open.push({ close: () => listed.destroy() })
    listed.write(rawFrame([3, 0, 0, 0, 1]))
    await once(listed, 'data')
    server.clients.should.deepEqual(['127.0.0.9'])
  })

  it('gives the place of the connection that is silent for longest to a further one', async () => {
    await serve({ connections: 2 })
    const [first, second] = [await client(), await client()]
    await asked([3, 0, 0, 0, 1], 1, second)
    await asked([3, 0, 0, 0, 1], 1, first)
    const third = await client()
    await second.ended
    for (const each of [first, third]) (await asked([3, 0, 0, 0, 1], 1, each)).should.have.length(4)
    server.counts.displaced.should.equal(1)
    server.clients.should.have.length(2)
  })

  it('leaves a PLC at work its place, however many connect and say nothing', async () => {
    await serve({ connections: 3 })
    const plc = await client()
    await asked([6, 0, 0, 0, 1], 1, plc)
    const reads = await client()
    await asked([3, 0, 0, 0, 1], 1, reads)
    const idle = await Promise.all(Array.from({ length: 20 }, () => client()))
    await Promise.all(idle.slice(0, -1).map((each) => each.ended))
    for (const each of [plc, reads]) (await asked([3, 0, 0, 0, 1], 1, each)).should.have.length(4)
    server.counts.displaced.should.equal(19)
  })

  it('turns a further one away where all are PLCs at work, and says so once', async () => {
    await serve({ connections: 1, host: '127.0.0.1' })
    const plc = await client()
    await asked([6, 0, 0, 0, 1], 1, plc)
    for (const from of ['127.0.0.2', '127.0.0.2', '127.0.0.3']) {
      const other = connect({ host: '127.0.0.1', port: server.port, localAddress: from })
      open.push({ close: () => other.destroy() })
      other.on('error', () => undefined)
      await once(other, 'close')
    }
    ;(await asked([6, 0, 0, 0, 2], 1, plc)).should.have.length(5)
    server.counts.should.containEql({ displaced: 0, turnedAway: 3 })
    errors
      .map(({ key, values }) => [key, values['client']])
      .should.deepEqual([
        ['modbus-no-room', '127.0.0.2'],
        ['modbus-no-room', '127.0.0.3'],
      ])
  })

  it('says once for each client and cause that it does not speak Modbus', async () => {
    await serve()
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', 'POST / HTTP/1.1\r\n\r\n']) {
      const bad = await client()
      bad.send(Buffer.from(bytes))
      await bad.ended
    }
    errors.should.have.length(1)
    server.counts.faults.should.equal(2)
  })

  it('reports once who asks for what does not exist, and what does', async () => {
    await serve()
    const raw = await client()
    const asks = async (unit: number, ...pdu: number[]) => {
      await asked(pdu, unit, raw)
      await asked(pdu, unit, raw)
    }
    await asks(7, 3, 0, 0, 0, 1)
    await asks(1, 3, 0, 200, 0, 2)
    await asks(1, 6, 0, 2, 0, 1)
    // Counted from 40001: the last addresses do not exist in either count but this.
    await asks(1, 3, 0x9c, 0x41, 0, 6)
    const client1 = '127.0.0.1'
    errors
      .map(({ key, values: { client: who, first, last, available, units, base } }) => ({
        ...{ key, who, first, last, available, units, base },
      }))
      .should.eql(
        [
          { key: 'modbus-client-unit', who: client1, units: '1' },
          { key: 'modbus-client-address', who: client1, first: 200, last: 201, available: '0–5, 100–119' },
          { key: 'modbus-client-read-only', who: client1, first: 2, last: 2, available: '0, 100–119' },
          {
            ...{ key: 'modbus-client-shifted', who: client1, first: 40_001, last: 40_006 },
            ...{ available: '0–5, 100–119', base: 40_001 },
          },
        ].map((each) => ({
          ...{ first: undefined, last: undefined, available: undefined },
          ...{ units: undefined, base: undefined },
          ...each,
        })),
      )
    for (const { message } of errors) message.should.match(/127\.0\.0\.1/).and.not.match(/\{\{/)
  })

  it('recognises addresses that are counted from 1', async () => {
    await serve()
    await asked([3, 0, 1, 0, 6])
    errors
      .map(({ key, values: { base } }) => ({ key, base }))
      .should.eql([{ key: 'modbus-client-shifted', base: 1 }])
  })

  it('tells a fault of a client to the one of several that it asked last, or to a single one', async () => {
    const [port = 0] = await freePorts(1)
    const told: string[] = []
    for (const unit of [1, 2, 3])
      open.push(
        await startModbusServer(
          { port, unit, blocks },
          { onWrite: () => undefined, onError: ({ key }) => told.push(`${unit} ${key}`) },
        ),
      )
    const garbage = Buffer.from('GET / HTTP/1.1\r\n\r\n')
    const one = await rawClient(port)
    one.send(garbage)
    await one.ended
    should(told).eql(['1 modbus-client-protocol'])
    const other = await rawClient(port)
    for (const unit of [2, 3, 2]) (await asked([3, 0, 0, 0, 1], unit, other)).should.have.length(4)
    // A message of no bytes.
    other.send(Buffer.from([0, 1, 0, 0, 0, 0, 1]))
    await other.ended
    should(told).eql(['1 modbus-client-protocol', '2 modbus-client-length'])
  })

  it('closes a connection without requests, half of one included', async () => {
    await serve({ idle: 100 })
    const [silent, half] = [await client(), await client()]
    half.send(rawFrame([3, 0, 0, 0, 1]).subarray(0, 5))
    await Promise.all([silent.ended, half.ended])
    await eventually(() => server.clients.should.be.empty())
  })

  it('reads no more from a client that does not take its answers', async () => {
    await serve()
    const slow = await client()
    slow.socket.pause()
    const request = rawFrame([3, 0, 100, 0, 20])
    const many = Buffer.concat(Array.from({ length: 5000 }, () => request))
    let isHeldUp = false
    for (let sent = 0; sent < 400 && !isHeldUp; sent++) {
      isHeldUp = !slow.socket.write(many)
      if (isHeldUp)
        isHeldUp = await Promise.race([
          once(slow.socket, 'drain').then(() => false),
          eventually(async () => {
            const before = server.counts.requests
            await new Promise((resolve) => setImmediate(resolve))
            ;(await asked([3, 0, 0, 0, 1])).should.have.length(4)
            server.counts.requests.should.equal(before + 1)
            return true
          }),
        ])
    }
    isHeldUp.should.be.true()
    const before = server.counts.requests
    slow.socket.resume()
    await eventually(() => server.counts.requests.should.be.above(before + 1000))
  })

  it('answers one request of a client in each turn of the event loop, however many come together', async () => {
    await serve()
    let turn = 0
    let isCounting = true
    const next = () => {
      turn++
      if (isCounting) setImmediate(next)
    }
    next()
    const turns: number[] = []
    onWrite = () => void turns.push(turn)
    const plc = await client()
    const write = rawFrame([6, 0, 0, 0, 5])
    plc.send(Buffer.concat(Array.from({ length: 200 }, () => write)))
    await plc.receive(200 * write.length)
    isCounting = false
    turns.should.have.length(200)
    new Set(turns).size.should.be.above(150)
  })

  it('says which port is taken', async () => {
    const { port } = await serve()
    const error = await startModbusServer({ port, blocks }, { onWrite: () => {} }).then(
      () => undefined,
      (reason: unknown) => reason as PlcError,
    )
    error?.should.have.properties({
      code: 'INVALID_INPUT',
      key: 'modbus-port-taken',
      cause: { reason: 'EADDRINUSE' },
    })
    error?.message.should.match(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is already in use\\. `))
  })

  it('says that an address is not one of this computer', () =>
    startModbusServer({ host: '::2', port: 0, blocks }, { onWrite: () => {} }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      key: 'modbus-own-address',
    }))

  const badOptions: [string, Partial<ModbusServerOptions>][] = [
    ['host', { host: 'plc' }],
    ['port', { port: 65_536 }],
    ['unit', { unit: 256 }],
    ['connections', { connections: 0 }],
    ['idle', { idle: NaN }],
    ['allow', { allow: ['192.168.0'] }],
    ['allow', { allow: ['192.168.0.0/33'] }],
    ['allow', { allow: ['192.168.0.0/24/1'] }],
    ['address', { blocks: { registers: [{ address: -1, count: 1 }] } }],
    ['count', { blocks: { coils: [{ address: 65_535, count: 2 }] } }],
  ]
  for (const [option, options] of badOptions)
    it(`refuses ${JSON.stringify(options)}, and says what is expected`, () =>
      startModbusServer({ port: 0, blocks, ...options }, { onWrite: () => {} }).should.be.rejectedWith({
        code: 'INVALID_INPUT',
        key: 'plc-option',
        values: { option },
      }))

  it('leaves nothing when it is closed', async () => {
    const handles = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length
    const before = handles()
    const { close } = await serve()
    const each = await client()
    await Promise.all([close(), close()])
    await each.ended
    await eventually(() => handles().should.be.belowOrEqual(before))
  })
})
