import { EventEmitter, once } from 'node:events'
import type { ServerHttp2Stream } from 'node:http2'
import should from 'should'
import type { ImageSet } from '../../lib/images'
import { MessageMemory } from '../../lib/images/message-reader'
import { useNext } from '../../nodes/image-receive/image-receive'
import { collectNew, heldAfterCollection } from '../support/collect-garbage'
import { eventually } from '../support/eventually'
import { sendSets, startGrpcServer, type GrpcCall } from './grpc-server'
import { pixels, setBytes } from './messages'
import { accept, framed, startRawServer } from './raw-server'
import { nextOf, useLinks } from './use-links'

describe('the memory of image sets', () => {
  const links = useLinks()
  const servers: { stop: () => unknown }[] = []
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())))

  const start = async (sizeOf: (number: number) => number = () => 128) => {
    const server = await startGrpcServer({
      images: (call) =>
        sendSets(call, 40, (number) => {
          const side = sizeOf(number)
          return setBytes({ number, width: side, height: side })
        }),
    })
    servers.push(server)
    return server.port
  }

  it('is used again for the next sets where that was agreed, and at most three sets are in memory', async () => {
    const link = links.images({ port: await start(), reusesMemory: true })
    const seen = new Set<ArrayBufferLike>()
    for (let number = 1; number <= 40; number++) {
      const { left, timestamp } = await nextOf(link)
      should(timestamp / 1_000_000_000n).equal(BigInt(1_700_000_000 + number))
      should(left?.data.equals(pixels(128 * 128, number))).be.true()
      if (left) seen.add(left.data.buffer)
      // The device goes on meanwhile.
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate)
      should(left?.data.equals(pixels(128 * 128, number))).be.true()
    }
    seen.size.should.be.belowOrEqual(3)
  })

  it('is not used again otherwise, because a set may be kept', async () => {
    const link = links.images({ port: await start() })
    const kept = []
    for (let number = 1; number <= 40; number++) kept.push((await nextOf(link)).left)
    for (const [index, left] of kept.entries())
      should(left?.data.equals(pixels(128 * 128, index + 1))).be.true()
  })

  it('stays as it is in a set that is kept, while others come and go', async () => {
    const side = 2100
    const link = links.images({ port: await start(() => side) })
    const kept = []
    for (let number = 1; number <= 12; number++) {
      const { left } = await nextOf(link)
      if (number % 4 === 0) kept.push({ number, left })
      collectNew()
    }
    await heldAfterCollection()
    kept.length.should.equal(3)
    for (const { number, left } of kept) should(left?.data.equals(pixels(side * side, number))).be.true()
  })

  it('is found by a collection of new objects once it is not needed, however long a set took to arrive', async () => {
    const message = setBytes({ width: 1000, height: 700 })
    const set = framed(message)
    const streams = new EventEmitter()
    const opened = once(streams, 'stream') as Promise<[ServerHttp2Stream]>
    const server = await startRawServer((stream) => {
      accept(stream)
      streams.emit('stream', stream)
    })
    servers.push(server)
    const link = links.images({ port: server.port })
    const [stream] = await opened
    const use = async () => should((await nextOf(link)).left?.height).equal(700)
    await heldAfterCollection()
    const { arrayBuffers } = process.memoryUsage()
    const more = () => (process.memoryUsage().arrayBuffers - arrayBuffers) / message.length

    stream.write(set.subarray(0, set.length / 2))
    await eventually(() => more().should.be.above(0.9))
    for (let times = 0; times < 4; times++) collectNew()
    const used = use()
    stream.write(set.subarray(set.length / 2))
    await used
    await eventually(() => {
      collectNew()
      more().should.be.below(0.5)
    }, 5000)
  })

  it('is free as soon as a set is used, while the next one is awaited', async () => {
    const calls: GrpcCall[] = []
    const server = await startGrpcServer({ images: (call) => void calls.push(call) })
    servers.push(server)
    const link = links.images({ port: server.port })
    await eventually(() => calls.length.should.equal(1))
    const set = () => setBytes({ width: 2100, height: 2100 })
    const bytes = set().length
    let used = 0
    const use = () => Promise.resolve(++used)
    const reading = (async () => {
      while (await useNext(link, use));
    })()
    const before = (await heldAfterCollection()).external
    for (let number = 1; number <= 2; number++) {
      calls[0]?.write(set())
      await eventually(() => used.should.equal(number))
      ;(await heldAfterCollection()).external.should.be.below(before + bytes / 2)
    }
    await link.close()
    await reading
  })

  it('is free after each of many connections that end, except what the last one has delivered', async () => {
    const set = framed(setBytes({ width: 1200, height: 1000 }))
    const server = await startRawServer((stream) => {
      accept(stream)
      stream.write(set, () => setTimeout(() => stream.session?.destroy(), 5))
    })
    servers.push(server)
    const link = links.images({ port: server.port, reconnects: true })
    const seen: WeakRef<ArrayBufferLike>[] = []
    const connections = new Set<number>()
    const use = ({ left, connection }: ImageSet) => {
      connections.add(connection)
      if (left) seen.push(new WeakRef(left.data.buffer))
      return Promise.resolve()
    }
    while (connections.size < 20) await useNext(link, use)
    await eventually(async () => {
      await heldAfterCollection()
      seen.filter((each) => each.deref()).length.should.be.belowOrEqual(1)
    })
  })

  it('follows the size of the sets', async () => {
    const sizeOf = (number: number) => [16, 200, 64, 65][number % 4] ?? 0
    const link = links.images({ port: await start(sizeOf), reusesMemory: true })
    for (let number = 1; number <= 40; number++) {
      const { left } = await nextOf(link)
      should(left?.data.equals(pixels(sizeOf(number) ** 2, number))).be.true()
    }
  })

  it('is not kept for sets that are far smaller', () => {
    const memory = new MessageMemory()
    const large = memory.take(1000)
    memory.give(large)
    memory.take(499).buffer.should.not.equal(large.buffer)
    const small = memory.take(300)
    memory.give(small)
    const other = memory.take(200)
    other.length.should.equal(200)
    other.buffer.should.equal(small.buffer)
  })
})
