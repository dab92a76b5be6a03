import { createServer, type Socket } from 'node:net'
import 'should'
import { pollPlc, startPlcClient, type PlcClient, type PlcClientOptions } from '../../../lib/plc/client'
import type { PlcError } from '../../../lib/plc/plc-error'
import {
  identityOf,
  type S7Options,
  s7Protocol,
  type S7Request,
  type S7Server,
  type S7ServerOptions,
  startS7Server,
} from '../../../lib/plc/s7'
import { eventually } from '../../support/eventually'
import { freePorts } from '../../support/free-ports'
import { listening } from '../../support/listening'

describe('S7 client', () => {
  const open: { close?: () => unknown; stop?: () => unknown }[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => (each.close ?? each.stop)?.()))
  })

  const downs: PlcError[] = []
  type Options = Partial<PlcClientOptions<S7Request>> & S7Options
  function start(port: number, { block, local, remote, ...options }: Options = {}): PlcClient<S7Request> {
    downs.length = 0
    const client = startPlcClient(
      {
        protocol: s7Protocol({
          ...(block !== undefined && { block }),
          ...(local !== undefined && { local }),
          ...(remote !== undefined && { remote }),
        }),
        ...{ host: '127.0.0.1', port, deadline: 10_000, firstPause: 20, longestPause: 100, ...options },
      },
      { onNotice: (error) => downs.push(error) },
    )
    open.unshift(client)
    return client
  }
  async function connected(port: number, options: Options = {}): Promise<PlcClient<S7Request>> {
    const client = start(port, options)
    await eventually(() => client.isOpen.should.be.true())
    return client
  }
  async function plc(options: Partial<S7ServerOptions> = {}): Promise<S7Server> {
    const server = await startS7Server({ port: 0, blocks: { [options.block ?? 1]: 200 }, ...options })
    open.push(server)
    return server
  }
  const read = (address: number, count: number) =>
    ({ kind: 'read', area: 'registers', address, count }) as const
  const write = (address: number, ...values: number[]) =>
    ({ kind: 'write', area: 'registers', address, values }) as const

  for (const pdu of [240, 480, 960])
    it(`reads and writes words of data block, flags, inputs and outputs with a PDU of ${pdu}`, async () => {
      const server = await plc({ pdu, block: 7 })
      const client = await connected(server.port, { block: 7 })
      await client.request(write(3, 1, 65_528, 300))
      server.read('registers', 4)?.should.equal(65_528)
      ;(await client.request(read(2, 5))).should.deepEqual([0, 1, 65_528, 300, 0])
      for (const area of ['words M', 'words Q'] as const) {
        await client.request({ kind: 'write', area, address: 10, values: [7, 8] })
        server.read(area, 11)?.should.equal(8)
      }
      server.set([{ area: 'words I', address: 0, value: 0x1234 }])
      ;(await client.request({ kind: 'read', area: 'words I', address: 0, count: 1 })).should.deepEqual([
        0x1234,
      ])
      ;(await client.request({ kind: 'read', area: 'words DB7', address: 3, count: 1 })).should.deepEqual([1])
      client.counts.should.containEql({ exceptions: 0, timeouts: 0, strays: 0, connections: 1 })
    })

  it('reads several areas in one telegram, as far as the granted PDU allows, and asks first what asks', async () => {
    const server = await plc({ pdu: 240 })
    const samples: (number | undefined)[][] = []
    const items = [
      ...[...Array(70).keys()].map((address) => ({ area: 'registers', address }) as const),
      { area: 'words M', address: 1, first: true } as const,
      { area: 'words Q', address: 5 } as const,
      ...[...Array(70).keys()].map((address) => ({ area: 'words DB1', address: 100 + address }) as const),
    ]
    server.set([
      { area: 'words M', address: 1, value: 11 },
      { area: 'words Q', address: 5, value: 12 },
      { area: 'registers', address: 69, value: 13 },
      { area: 'registers', address: 169, value: 14 },
    ])
    const polled = pollPlc(
      { protocol: s7Protocol(), host: '127.0.0.1', port: server.port, interval: 5, reads: items },
      {
        onSample: ({ value }) =>
          samples.push([
            value('words M', 1),
            value('words Q', 5),
            value('registers', 69),
            value('words DB1', 169),
          ]),
      },
    )
    open.unshift(polled)
    await eventually(() => samples.length.should.be.above(2))
    samples[0]?.should.deepEqual([11, 12, 13, 14])
    const before = polled.counts.requests
    const polls = samples.length
    await eventually(() => samples.length.should.be.above(polls + 20))
    const perPoll = (polled.counts.requests - before) / (samples.length - polls)
    perPoll.should.be.within(1.9, 2.2)
  })

  it('says what answers: type, order number, name and protection level', async () => {
    const server = await plc()
    server.fail({ access: 'read' })
    const client = await connected(server.port)
    ;(await identityOf((asked) => client.request(asked))).should.deepEqual({
      orderNumber: '6ES7 000-0AA00-0AA0',
      type: 'virtual CPU',
      name: 'virtual PLC',
      protection: 2,
    })
  })

  const refusals: [string, string, Parameters<S7Server['fail']>[0], 'read' | 'write'][] = [
    ['PUT/GET is not permitted', 's7-put-get', { putGet: false }, 'read'],
    ['the CPU permits no access', 's7-put-get', { access: 'none' }, 'read'],
    ['the access level permits reading alone', 's7-write-refused', { access: 'read' }, 'write'],
    ['the data block is missing or optimized', 's7-no-block', { block: 'missing' }, 'read'],
    ['the data block is too short', 's7-short-block', { block: 'short' }, 'write'],
  ]
  for (const [what, key, faults, kind] of refusals)
    it(`says that ${what}, and works again without a new connection`, async () => {
      const server = await plc()
      const client = await connected(server.port)
      const request = kind === 'read' ? read(0, 4) : write(0, 1, 2)
      server.fail(faults)
      await client.request(request).should.be.rejectedWith({ code: 'REFUSED', key })
      server.fail({ putGet: true, access: 'full', block: 'present' })
      await client.request(request)
      client.counts.should.containEql({ exceptions: 1, connections: 1 })
    })

  const others: [string, string, (socket: Socket) => void][] = [
    ['a web server', 's7-http', (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    [
      'a Modbus server',
      's7-other-protocol',
      (socket) => void socket.write(Buffer.of(0, 1, 0, 0, 0, 3, 1, 3, 0)),
    ],
    ['who closes at once', 's7-closed-early', (socket) => void socket.end()],
    [
      'who refuses',
      's7-disconnect',
      (socket) => void socket.write(Buffer.from('0300000b0680000100000000'.slice(0, 22), 'hex')),
    ],
    ['who says nothing', 's7-silent-early', () => undefined],
  ]
  for (const [who, key, behave] of others)
    it(`says that ${who} is no S7 controller`, async () => {
      const server = await listening(
        createServer((socket) => {
          socket.on('error', () => undefined).once('data', () => behave(socket))
        }),
      )
      open.push(server)
      start(server.port, { connectDeadline: 100 })
      await eventually(() => downs.map((error) => error.key).should.containEql(key))
    })

  it('says that nothing listens', async () => {
    const [port = 0] = await freePorts(1)
    start(port)
    await eventually(() => downs.map(({ key }) => key).should.eql(['s7-no-listener']))
  })

  it('says that all connections are in use', async () => {
    const server = await plc()
    server.fail({ connections: 0 })
    start(server.port)
    await eventually(() => downs.map(({ key }) => key).should.eql(['s7-disconnect']))
  })

  it('ends the connection with a request that has no answer in time, and takes no late one', async () => {
    const server = await plc()
    const client = await connected(server.port, { deadline: 60 })
    await client.request(write(0, 5))
    server.fail({ delay: 150 })
    await client.request(read(0, 1)).should.be.rejectedWith({ code: 'UNREACHABLE', key: 's7-silent' })
    server.fail({ delay: 0 })
    await eventually(() => client.isOpen.should.be.true())
    ;(await client.request(read(0, 1))).should.deepEqual([5])
    client.counts.should.containEql({ timeouts: 1, strays: 0, connections: 2 })
  })

  it('leaves a write without an answer unknown', async () => {
    const server = await plc()
    const client = await connected(server.port, { deadline: 60 })
    server.fail({ delay: 150 })
    await client.request(write(0, 5)).should.be.rejectedWith({ code: 'OUTCOME_UNKNOWN' })
  })

  for (const keepsMemory of [true, false])
    it(`comes back after a restart that ${keepsMemory ? 'keeps' : 'loses'} the memory`, async () => {
      const server = await plc()
      const client = await connected(server.port)
      await client.request(write(0, 5))
      await server.restart({ keepsMemory, away: 30 })
      await eventually(() => client.isOpen.should.be.true())
      ;(await client.request(read(0, 1))).should.deepEqual([keepsMemory ? 5 : 0])
    })
})
