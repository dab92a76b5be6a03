import { createServer, type Server } from 'node:net'
import * as jsmodbus from 'jsmodbus'
import should from 'should'
import { type PlcClient, type PlcClientOptions, startPlcClient } from '../../../lib/plc/client'
import { modbusProtocol, startModbusServer, type ModbusRequest } from '../../../lib/plc/modbus'
import type { PlcError } from '../../../lib/plc/plc-error'
import { eventually } from '../../support/eventually'
import { freePorts } from '../../support/free-ports'
import { listening } from '../../support/listening'
import { modbusServer } from '../../support/modbus-server'
import { obey, rawFrame, scriptedPlc, type RawRequest } from '../support/scripted-plc'

type ModbusOptions = Omit<PlcClientOptions<ModbusRequest>, 'protocol'> & { unit?: number }

const readFive: ModbusRequest = { kind: 'read', area: 'registers', address: 0, count: 5 }
const writeOne: ModbusRequest = { kind: 'write', area: 'registers', address: 3, values: [7] }
const writeThree: ModbusRequest = { kind: 'write', area: 'registers', address: 0, values: [1, 65_528, 3] }

describe('Modbus client', () => {
  const open: { close?: () => unknown; stop?: () => unknown }[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => (each.close ?? each.stop)?.()))
  })

  const downs: PlcError[] = []
  let opens = 0
  let ups = 0
  async function connected(
    port: number,
    options: Partial<ModbusOptions> = {},
  ): Promise<PlcClient<ModbusRequest>> {
    const client = start(port, options)
    await eventually(() => client.isOpen.should.be.true())
    return client
  }
  function start(port: number, options: Partial<ModbusOptions> = {}): PlcClient<ModbusRequest> {
    downs.length = 0
    opens = 0
    ups = 0
    const client = startPlcClient(
      {
        protocol: modbusProtocol(),
        host: '127.0.0.1',
        port,
        deadline: 10_000,
        firstPause: 20,
        longestPause: 100,
        ...options,
      },
      { onOpen: () => opens++, onUp: () => ups++, onNotice: (error) => downs.push(error) },
    )
    open.unshift(client)
    return client
  }
  async function plc(onRequest: (request: RawRequest) => void) {
    const each = await scriptedPlc(onRequest)
    open.push(each)
    return each
  }

  describe('of an independent server', () => {
    it('jsmodbus: reads, and writes one or several, registers and coils', async () => {
      const holding = Buffer.alloc(40)
      const coils = Buffer.alloc(4)
      const tcp = createServer()
      const { port } = await listened(tcp)
      new jsmodbus.server.TCP(tcp, {
        holding,
        coils,
        input: Buffer.from([0, 1, 0, 2]),
        discrete: Buffer.from([5]),
      })
      const client = await connected(port)
      await client.request(writeThree)
      await client.request(writeOne)
      ;(await client.request(readFive)).should.deepEqual([1, 65_528, 3, 7, 0])
      await client.request({ kind: 'write', area: 'coils', address: 1, values: [1] })
      await client.request({ kind: 'write', area: 'coils', address: 8, values: [1, 0, 1] })
      ;(await client.request({ kind: 'read', area: 'coils', address: 0, count: 12 })).should.deepEqual([
        0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0,
      ])
      const read = (area: 'inputRegisters' | 'discreteInputs', count: number) =>
        client.request({ kind: 'read', area, address: 0, count })
      ;(await read('inputRegisters', 2)).should.deepEqual([1, 2])
      ;(await read('discreteInputs', 3)).should.deepEqual([1, 0, 1])
    })

    it('modbus-serial: reads, writes, and is told exceptions', async () => {
      const memory = new Map<number, number>()
      const server = await modbusServer({
        get: (address) => memory.get(address) ?? 0,
        set: (address, value) => {
          // That server's word for "no such address".
          if (address > 9) throw Object.assign(new Error(), { modbusErrorCode: 2 })
          memory.set(address, value)
        },
      })
      open.push(server)
      const client = await connected(server.port)
      await client.request(writeThree)
      await client.request(writeOne)
      ;(await client.request(readFive)).should.deepEqual([1, 65_528, 3, 7, 0])
      await client
        .request({ kind: 'write', area: 'registers', address: 10, values: [1] })
        .should.be.rejectedWith({ code: 'REFUSED', cause: { exception: 2 } })
    })

    async function listened(server: Server) {
      const each = await listening(server)
      open.push(each)
      return each
    }
  })

  it('writes and reads in one request where the server can', async () => {
    const server = await startModbusServer(
      { port: 0, blocks: { registers: [{ address: 0, count: 5, writable: true }] } },
      { onWrite: () => {} },
    )
    open.push(server)
    const client = await connected(server.port)
    const both: ModbusRequest = {
      kind: 'write-read',
      write: { address: 1, values: [8, 9] },
      read: { address: 0, count: 3 },
    }
    ;(await client.request(both)).should.deepEqual([0, 8, 9])
  })

  it('has one request under way, and sends writes before the reads that wait', async () => {
    const came: RawRequest[] = []
    const { port } = await plc((request) => came.push(request))
    const client = await connected(port)
    const ended: string[] = []
    const ends = [
      client.request(readFive).then(() => ended.push('read 1')),
      client.request(readFive).then(() => ended.push('read 2')),
      client.request(writeOne).then(() => ended.push('write 1')),
      client.request(writeThree).then(() => ended.push('write 2')),
    ]
    const seen = []
    for (const count of [1, 2, 3, 4]) {
      await eventually(() => came.should.have.length(count))
      const request = came[count - 1] as RawRequest
      seen.push(request.pdu[0])
      obey(request)
    }
    await Promise.all(ends)
    seen.should.deepEqual([3, 6, 16, 3])
    ended.should.deepEqual(['read 1', 'write 1', 'write 2', 'read 2'])
  })

  it('refuses further requests when as many wait as may', async () => {
    const { port } = await plc(() => {})
    const client = await connected(port, { queue: 1 })
    const ended = Promise.all([1, 2].map(() => codeOf(client.request(readFive))))
    await client.request(writeOne).should.be.rejectedWith({ code: 'BUSY' })
    await client.close()
    ;(await ended).should.deepEqual(['ABORTED', 'ABORTED'])
  })

  it('understands answers that come byte by byte', async () => {
    const { port } = await plc(({ transaction, socket }) => {
      for (const byte of rawFrame([3, 10, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5], { transaction }))
        socket.write(Buffer.of(byte))
    })
    const client = await connected(port)
    ;(await client.request(readFive)).should.deepEqual([1, 2, 3, 4, 5])
  })

  it('ignores answers to other requests, and takes the right one', async () => {
    const { port } = await plc((request) => {
      request.answer([3, 2, 0, 9], { transaction: request.transaction + 1 })
      obey(request)
    })
    const client = await connected(port)
    ;(await client.request(readFive)).should.deepEqual([0, 0, 0, 0, 0])
    client.counts.strays.should.equal(1)
  })

  it('gives a late answer to nobody', async () => {
    const came: RawRequest[] = []
    const { port } = await plc((request) => {
      if (came.push(request) === 1) return
      came[0]?.answer([3, 10, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9])
      obey(request)
    })
    const client = await connected(port, { deadline: 50 })
    await client.request(readFive).should.be.rejectedWith({ code: 'TIMEOUT', key: 'modbus-no-answer' })
    ;(await client.request(readFive)).should.deepEqual([0, 0, 0, 0, 0])
    client.counts.should.containEql({ timeouts: 1, strays: 1, connections: 1 })
  })

  it('tells with the next timeout how long a late answer took', async () => {
    const came: RawRequest[] = []
    const { port } = await plc((request) => void came.push(request))
    const client = await connected(port, { deadline: 500 })
    await client.request(readFive).should.be.rejectedWith({ code: 'TIMEOUT', key: 'modbus-no-answer' })
    const answered = client.request(readFive)
    await eventually(() => came.should.have.length(2))
    // The answer to the first request, then that to the second.
    for (const request of came) obey(request)
    await answered
    client.counts.strays.should.equal(1)
    const { message, key, values } = await client.request(readFive).then(
      () => ({ message: '', key: '', values: {} as { late?: number } }),
      (error: unknown) => error as PlcError & { values: { late?: number } },
    )
    key.should.equal('modbus-no-answer-late')
    should(values.late).be.aboveOrEqual(499)
    message.should.match(
      /did not answer within 500 ms; its last late answer took \d{3,} ms\. Allow more time/,
    )
  })

  it('connects anew when two requests in a row got no answer, and repeats none', async () => {
    const came: number[] = []
    const { port } = await plc((request) => void came.push(request.pdu.readUInt8(0)))
    const client = await connected(port, { deadline: 30 })
    await client.request(readFive).should.be.rejectedWith({ code: 'TIMEOUT' })
    await client.request(writeOne).should.be.rejectedWith({ code: 'OUTCOME_UNKNOWN' })
    downs
      .map(({ code, key }) => ({ code, key }))
      .should.deepEqual([{ code: 'UNREACHABLE', key: 'modbus-silent' }])
    await eventually(() => opens.should.equal(2))
    came.should.deepEqual([3, 6])
    ups.should.equal(0)
  })

  const endings: [string, (request: RawRequest) => void][] = [
    ['FIN', ({ socket }) => socket.end()],
    ['RST', ({ socket }) => socket.resetAndDestroy()],
  ]
  for (const [name, end] of endings)
    it(`tells a connection lost by ${name} at once, what waited was not sent, and connects again`, async () => {
      const came: number[] = []
      const { port } = await plc((request) => {
        came.push(request.pdu.readUInt8(0))
        if (came.length === 1) end(request)
        else obey(request)
      })
      const client = await connected(port, { deadline: 600_000 })
      const codes = await Promise.all(
        [writeOne, writeThree, readFive].map((each) => codeOf(client.request(each))),
      )
      codes.should.deepEqual(['OUTCOME_UNKNOWN', 'UNREACHABLE', 'UNREACHABLE'])
      downs.should.have.length(1)
      downs[0]?.should.have.properties({ code: 'UNREACHABLE', key: 'plc-lost' })
      await eventually(() => opens.should.equal(2))
      await client.request(readFive)
      came.should.deepEqual([6, 3])
    })

  const faults: [string, PlcError['key'], (request: RawRequest) => void][] = [
    ['another unit', 'modbus-other-unit', ({ answer }) => answer([3, 2, 0, 0], { unit: 9 })],
    ['another function', 'modbus-bad-answer', ({ answer }) => answer([4, 2, 0, 0])],
    ['fewer registers', 'modbus-bad-answer', ({ answer }) => answer([3, 2, 0, 0])],
    ['a length that lies', 'modbus-bad-answer', ({ answer }) => answer([3, 10, 0, 0])],
    ['a function alone', 'modbus-bad-answer', ({ answer }) => answer([3])],
    ['garbage', 'modbus-plc-protocol', ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\n\r\n')],
    [
      'an endless frame',
      'modbus-plc-length',
      ({ socket }) => void socket.write(Buffer.of(0, 1, 0, 0, 255, 255, 1)),
    ],
  ]
  for (const [what, key, misbehave] of faults)
    it(`fails at ${what}, and works on`, async () => {
      let count = 0
      const { port } = await plc((request) => (++count === 1 ? misbehave(request) : obey(request)))
      const client = await connected(port)
      await client.request(readFive).should.be.rejectedWith({ code: 'BAD_REPLY', key })
      await eventually(() => client.isOpen.should.be.true())
      ;(await client.request(readFive)).should.deepEqual([0, 0, 0, 0, 0])
    })

  it('fails at a write that is confirmed for another place or value', async () => {
    const answers = [
      [16, 0, 0, 0, 2],
      [16, 0, 1, 0, 3],
      [6, 0, 3, 0, 8],
    ]
    const { port } = await plc(({ answer }) => answer(answers.shift() ?? []))
    const client = await connected(port)
    for (const request of [writeThree, writeThree, writeOne])
      await client.request(request).should.be.rejectedWith({ key: 'modbus-bad-answer' })
  })

  it('tells each exception by its number, with what to do', async () => {
    let exception = 0
    const { port } = await plc(({ pdu, answer }) => answer([pdu.readUInt8(0) | 0x80, ++exception]))
    const client = await connected(port)
    for (const expected of [1, 2, 3, 4, 5, 6]) {
      const error = await client.request(writeThree).then(
        () => undefined,
        (reason: unknown) => reason as PlcError,
      )
      error?.should.have.properties({ code: 'REFUSED', cause: { exception: expected } })
      error?.message.should.containEql(`exception ${expected}`)
      error?.message.should.containEql('0 to 2')
    }
    client.counts.exceptions.should.equal(6)
  })

  it('pauses longer after each connection that brought nothing', async () => {
    const attempts: number[] = []
    const each = await listening(
      createServer((socket) => {
        attempts.push(performance.now())
        socket.destroy()
      }),
    )
    open.push(each)
    start(each.port, { firstPause: 20, longestPause: 60, random: () => 1 })
    await eventually(() => attempts.length.should.be.aboveOrEqual(5))
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
    // A timer may fire up to a millisecond early.
    ;[20, 40, 60, 60].forEach((least, index) => pauses[index]?.should.be.above(least - 2))
  })

  it('tells once that there is no PLC, and connects when there is one', async () => {
    const [port = 0] = await freePorts(1)
    const client = start(port, { firstPause: 10, longestPause: 40 })
    await eventually(() => downs.should.have.length(1))
    downs[0]?.should.have.properties({ key: 'modbus-unreachable', cause: { reason: 'ECONNREFUSED' } })
    await client.request(readFive).should.be.rejectedWith({ code: 'UNREACHABLE' })
    const server = createServer((socket) => socket.on('error', () => {}).on('data', () => {}))
    server.listen(port, '127.0.0.1')
    open.push({ close: () => server.close() })
    await eventually(() => client.isOpen.should.be.true())
    downs.should.have.length(1)
  })

  it('is up once the PLC has answered, and not before', async () => {
    const came: RawRequest[] = []
    const { port } = await plc((request) => void came.push(request))
    const client = await connected(port)
    const read = client.request(readFive)
    await eventually(() => came.should.have.length(1))
    ;({ up: client.isUp, ups }).should.eql({ up: false, ups: 0 })
    obey(came[0] as RawRequest)
    await read
    ;({ up: client.isUp, ups }).should.eql({ up: true, ups: 1 })
  })

  it('reports once that a PLC accepts each connection and ends it, with pauses that grow', async () => {
    const attempts: number[] = []
    const each = await listening(
      createServer((socket) => {
        attempts.push(performance.now())
        socket.end()
      }),
    )
    open.push(each)
    start(each.port, { firstPause: 5, longestPause: 40, random: () => 1 })
    await eventually(() => attempts.length.should.be.aboveOrEqual(12))
    downs.map(({ key }) => key).should.eql(['plc-lost'])
    ups.should.equal(0)
    ;((attempts[11] ?? 0) - (attempts[10] ?? 0)).should.be.above(38)
  })

  it('works with a PLC that closes the connection after each answer, and reports it once', async () => {
    const came: number[] = []
    const { port } = await plc((request) => {
      came.push(request.pdu.readUInt8(0))
      obey(request)
      request.socket.end()
    })
    const client = await connected(port)
    const codes: string[] = []
    // Until it is known to close each connection, requests are lost with it.
    for (let each = 0; each < 40; each++) {
      await eventually(() => client.isOpen.should.be.true())
      codes.push(await codeOf(client.request(each % 2 ? readFive : writeOne)))
    }
    codes.slice(10).should.eql(Array.from({ length: 30 }, () => 'answered'))
    client.counts.connections.should.be.aboveOrEqual(30)
    downs.length.should.be.belowOrEqual(1)
    ups.should.be.belowOrEqual(4)
    client.isUp.should.be.true()
  })

  it('takes the answers of a gateway that numbers them by itself, as soon as that is certain', async () => {
    let number = 0
    const { port } = await plc(({ pdu, answer }) => {
      answer([3, 10, 0, 1, 0, 2, 0, 3, 0, 4, 0, pdu.readUInt16BE(3)], { transaction: number++ })
    })
    const client = await connected(port, { deadline: 100 })
    for (let each = 0; each < 10; each++) (await client.request(readFive)).should.deepEqual([1, 2, 3, 4, 5])
    // The first one waited for the right number.
    client.counts.should.containEql({ timeouts: 1, connections: 1 })
  })

  it('says why the answers of a gateway cannot be used that numbers them and is too slow', async () => {
    const came: RawRequest[] = []
    const { port } = await plc((request) => {
      came.push(request)
      const late = came[came.length - 2]
      if (late?.socket === request.socket)
        late.answer([3, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], { transaction: 7 })
    })
    const client = await connected(port, { deadline: 40 })
    await codeOf(client.request(readFive))
    await codeOf(client.request(readFive))
    await eventually(() => downs.map(({ key }) => key).should.eql(['modbus-own-transactions']))
  })

  it('hands nothing on after it was closed, and leaves nothing', async () => {
    const { port } = await plc(() => {})
    const client = await connected(port)
    const codes = Promise.all([writeOne, writeThree, readFive].map((each) => codeOf(client.request(each))))
    await Promise.all([client.close(), client.close()])
    ;(await codes).should.deepEqual(['OUTCOME_UNKNOWN', 'ABORTED', 'ABORTED'])
    await client.request(readFive).should.be.rejectedWith({ code: 'ABORTED' })
    downs.should.be.empty()
    client.counts.connections.should.equal(1)
  })

  const codeOf = (request: Promise<unknown>) =>
    request.then(
      () => 'answered',
      (error: unknown) => (error as PlcError).code,
    )

  const bad: [string, ModbusRequest][] = [
    ['count', { kind: 'read', area: 'registers', address: 0, count: 126 }],
    ['count', { kind: 'read', area: 'coils', address: 0, count: 0 }],
    ['address', { kind: 'read', area: 'registers', address: -1, count: 1 }],
    ['count', { kind: 'read', area: 'registers', address: 65_535, count: 2 }],
    ['value', { kind: 'write', area: 'registers', address: 0, values: [-1] }],
    ['value', { kind: 'write', area: 'registers', address: 0, values: [1, 65_536] }],
    ['value', { kind: 'write', area: 'coils', address: 0, values: [2] }],
    ['count', { kind: 'write', area: 'registers', address: 0, values: [] }],
  ]
  for (const [option, request] of bad)
    it(`sends nothing for ${JSON.stringify(request)}`, async () => {
      const { port } = await plc(obey)
      const client = await connected(port)
      await client.request(request).should.be.rejectedWith({ code: 'INVALID_INPUT', values: { option } })
      client.counts.requests.should.equal(0)
    })

  const badOptions: Partial<ModbusOptions>[] = [
    { host: ' ' },
    { port: 0 },
    { unit: -1 },
    { deadline: Infinity },
    { connectDeadline: 0 },
    { longestPause: 1 },
    { queue: 0.5 },
  ]
  for (const options of badOptions)
    it(`refuses ${JSON.stringify(options)}`, () => {
      const [option] = Object.keys(options)
      ;(() =>
        startPlcClient({ protocol: modbusProtocol(options), host: '127.0.0.1', ...options })).should.throw({
        code: 'INVALID_INPUT',
        message: new RegExp(`setting ${option} `),
      })
    })
})
