import should from 'should'
import { MessageMemory } from '../../lib/images/message-memory'
import { sendSets, startGrpcServer, type GrpcServer } from './grpc-server'
import { pixels, setBytes } from './messages'
import { nextOf, useLinks } from './use-links'

describe('the memory of image sets', () => {
  const links = useLinks()
  const servers: GrpcServer[] = []
  afterEach(() => servers.splice(0).forEach((server) => server.stop()))

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
