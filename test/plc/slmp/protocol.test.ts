import { createServer } from 'node:net'
import should from 'should'
import { type PlcClient, startPlcClient, pollPlc } from '../../../lib/plc/client'
import { PlcError } from '../../../lib/plc/plc-error'
import {
  modelName,
  slmpAddress,
  type SlmpModelRequest,
  slmpProtocol,
  type SlmpServer,
  type SlmpServerOptions,
  startSlmpServer,
} from '../../../lib/plc/slmp'
import { seededRandom } from '../../../virtual-device/values'
import { eventually } from '../../support/eventually'
import { freePorts } from '../../support/free-ports'
import { listening } from '../../support/listening'

const transports = ['tcp', 'udp'] as const
type Transport = (typeof transports)[number]

describe('SLMP for the polling client', () => {
  const open: { close: () => unknown }[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })

  const downs: PlcError[] = []
  const kept = <Closable extends { close: () => unknown }>(each: Closable): Closable => {
    open.push(each)
    return each
  }
  const serverWith = async (options: SlmpServerOptions): Promise<SlmpServer> =>
    kept(await startSlmpServer({ port: 0, ...options }))

  function clientOf(port: number, transport: Transport, deadline = 1000): PlcClient<SlmpModelRequest> {
    downs.length = 0
    const start = slmpAddress('D100')
    return kept(
      startPlcClient(
        {
          protocol: slmpProtocol({ transport, ...(start && { start }) }),
          host: '127.0.0.1',
          port,
          deadline,
          firstPause: 5,
          longestPause: 20,
        },
        { onDown: (error) => downs.push(error) },
      ),
    )
  }
  const isOpen = (client: PlcClient<SlmpModelRequest>) => eventually(() => client.isOpen.should.be.true())

  for (const transport of transports)
    describe(`over ${transport.toUpperCase()}`, () => {
      it('reads and writes devices by the areas of the map', async () => {
        const server = await serverWith({ transport })
        const client = clientOf(server.port, transport)
        await isOpen(client)
        const { memory } = server
        memory.write('D', 100, [7, 8])
        memory.write('W', 0x1f, [9])
        ;(await client.request({ kind: 'read', area: 'registers', address: 0, count: 2 })).should.deepEqual([
          7, 8,
        ])
        ;(await client.request({ kind: 'read', area: 'words W', address: 0x1f, count: 1 })).should.deepEqual([
          9,
        ])
        await client.request({ kind: 'write', area: 'bits M', address: 3, values: [1, 0, 1] })
        memory.read('M', 2, 5).should.deepEqual([0, 1, 0, 1, 0])
        await client.request({ kind: 'write', area: 'registers', address: 5, values: [0, 0x3f80] })
        memory.read('D', 105, 2).should.deepEqual([0, 0x3f80])
      })

      it('learns the model of the CPU', async () => {
        const server = await serverWith({ transport, model: 'FX5UCPU' })
        const client = clientOf(server.port, transport)
        await isOpen(client)
        modelName(await client.request({ kind: 'model' })).should.equal('FX5UCPU')
      })

      it('takes no late answer for that of another request', async () => {
        const server = await serverWith({ transport })
        const random = seededRandom(41)
        for (let number = 100; number < 200; number++) server.memory.write('D', number, [number])
        const client = clientOf(server.port, transport, 20)
        let answered = 0
        for (let round = 0; round < 120; round++) {
          await isOpen(client)
          server.fail({ delay: random() < 0.5 ? 0 : Math.floor(random() * 45) })
          const address = Math.floor(random() * 100)
          const words = await client
            .request({ kind: 'read', area: 'registers', address, count: 1 })
            .catch(
              (error: unknown) =>
                void should(['TIMEOUT', 'UNREACHABLE']).containEql((error as PlcError).code),
            )
          if (!words) continue
          answered++
          words.should.deepEqual([100 + address])
        }
        client.counts.timeouts.should.be.above(5)
        answered.should.be.above(40)
      })

      it('does not know whether a write without an answer took effect', async () => {
        const server = await serverWith({ transport })
        const client = clientOf(server.port, transport, 30)
        await isOpen(client)
        server.fail({ isSilent: true })
        await client
          .request({ kind: 'write', area: 'registers', address: 0, values: [1] })
          .should.be.rejectedWith({ code: 'OUTCOME_UNKNOWN' })
      })

      it('splits a read where devices between two wanted ones do not exist', async () => {
        const server = await serverWith({ transport })
        server.memory.write('D', 12_287, [5])
        const start = slmpAddress('D12280')
        const seen: (number | undefined)[] = []
        const polled = kept(
          pollPlc(
            {
              protocol: slmpProtocol({ transport, ...(start && { start }) }),
              host: '127.0.0.1',
              port: server.port,
              interval: 5,
              reads: [
                { area: 'registers', address: 0 },
                { area: 'registers', address: 7 },
                { area: 'registers', address: 8 },
              ],
            },
            { onSample: () => undefined, onFault: ({ cause }) => seen.push(cause?.exception) },
          ),
        )
        await eventually(() => should(seen).containEql(0x4031))
        polled.counts.exceptions.should.be.above(1)
      })

      it('connects again within 2 s after a restart, and reads what the PLC has then', async () => {
        const server = await serverWith({ transport })
        server.memory.write('D', 100, [3])
        const client = clientOf(server.port, transport, 50)
        const value = async () =>
          eventually(async () => {
            const words = await client.request({ kind: 'read', area: 'registers', address: 0, count: 1 })
            return words[0]
          })
        should(await value()).equal(3)
        await server.restart({ keepsMemory: false, away: 100 })
        const began = performance.now()
        should(await value()).equal(0)
        ;(performance.now() - began).should.be.below(2000)
      })
    })

  it('survives one lost datagram', async () => {
    const server = await serverWith({ transport: 'udp' })
    const client = clientOf(server.port, 'udp', 30)
    await isOpen(client)
    server.fail({ isSilent: true })
    const read = { kind: 'read', area: 'registers', address: 0, count: 1 } as const
    await client.request(read).should.be.rejectedWith({ code: 'TIMEOUT' })
    server.fail({ isSilent: false })
    ;(await client.request(read)).should.deepEqual([0])
    downs.should.be.empty()
  })

  /** What a client is told that only connects and reads. */
  async function causeAt(port: number, transport: Transport): Promise<PlcError> {
    const client = clientOf(port, transport, 40)
    return eventually(async () => {
      if (client.isOpen)
        await client
          .request({ kind: 'read', area: 'registers', address: 0, count: 1 })
          .catch((error: unknown) => {
            if (error instanceof PlcError && error.code === 'REFUSED') downs.push(error)
          })
      const [error] = downs
      if (!error) throw new Error('not known yet')
      return error
    })
  }

  const causes: Readonly<
    Record<string, { transport?: Transport; port: () => Promise<number>; key: string }>
  > = {
    'a wrong port': { port: async () => (await freePorts(1))[0] ?? 0, key: 'slmp-no-listener' },
    'a port without UDP': {
      transport: 'udp',
      port: async () => (await freePorts(1))[0] ?? 0,
      key: 'slmp-udp-refused',
    },
    'a web server': {
      port: async () => {
        const server = createServer((socket) => {
          socket.on('error', () => socket.destroy())
          socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
        })
        const { port, stop } = await listening(server)
        kept({ close: stop })
        return port
      },
      key: 'slmp-plc-protocol',
    },
    'a PLC that is set to ASCII': {
      port: async () => {
        const server = createServer((socket) => {
          socket.on('error', () => socket.destroy())
          socket.on('data', () => socket.write('D00000FF03FF000016C050'))
        })
        const { port, stop } = await listening(server)
        kept({ close: stop })
        return port
      },
      key: 'slmp-plc-ascii',
    },
    'a connection that another program uses': {
      port: async () => {
        const server = await serverWith({})
        server.fail({ connections: 0 })
        return server.port
      },
      key: 'slmp-closed-early',
    },
    'a PLC that does not answer': {
      port: async () => {
        const server = await serverWith({})
        server.fail({ isSilent: true })
        return server.port
      },
      key: 'slmp-silent',
    },
    'a PLC that does not answer over UDP': {
      transport: 'udp',
      port: async () => {
        const server = await serverWith({ transport: 'udp' })
        server.fail({ isSilent: true })
        return server.port
      },
      key: 'slmp-silent-udp',
    },
  }
  for (const [what, { transport = 'tcp', port, key }] of Object.entries(causes))
    it(`says what is wrong: ${what}`, async () => {
      const error = await causeAt(await port(), transport)
      error.key.should.equal(key)
      error.inLanguage('de').should.not.equal(error.message)
    })

  it('says that writing is disabled while the program runs, and goes on reading', async () => {
    const server = await serverWith({})
    server.fail({ writesInRun: false })
    const client = clientOf(server.port, 'tcp')
    await isOpen(client)
    await client
      .request({ kind: 'write', area: 'registers', address: 0, values: [1] })
      .should.be.rejectedWith({ code: 'REFUSED', key: 'slmp-write-during-run', cause: { exception: 0x55 } })
    ;(await client.request({ kind: 'read', area: 'registers', address: 0, count: 1 })).should.deepEqual([0])
  })
})
