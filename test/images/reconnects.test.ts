import { connect } from 'node:net'
import should from 'should'
import type { images } from '../../lib'
import { startVirtualDevice } from '../../virtual-device'
import { seededRandom } from '../../virtual-device/values'
import { heldAfterCollection } from '../support/collect-garbage'
import { eventually } from '../support/eventually'
import { sendSets, startGrpcServer } from './grpc-server'
import { setBytes } from './messages'
import { startTcpServer } from './raw-server'
import { nextOf, useLinks } from './use-links'

/** One image, and all. */
const wishes: Record<string, images.ImageStreamOptions['wanted']> = {
  'one image': { disparity: true },
  'all images': { left: true, right: true, disparity: true, error: true, confidence: true },
}

describe('a stream whose connection is cut again and again in the middle of a set', function () {
  this.timeout(60_000)
  const links = useLinks()
  const servers: { stop: () => unknown }[] = []
  afterEach(async () => {
    for (const server of servers.splice(0).reverse()) await server.stop()
  })

  /** Cuts each connection after so many bytes of the device. */
  const cutting = async (target: number, most: () => number) => {
    let cuts = 0
    const relay = await startTcpServer((client) => {
      const device = connect(target, '127.0.0.1')
      const end = () => {
        client.destroy()
        device.destroy()
      }
      device.on('error', end)
      client.once('close', end)
      let left = most()
      client.pipe(device)
      device.on('data', (bytes: Buffer) => {
        client.write(bytes.subarray(0, left))
        left -= bytes.length
        if (left > 0) return
        cuts++
        client.end()
        device.destroy()
      })
    })
    servers.push(relay)
    return { port: relay.port, stop: relay.stop, cuts: () => cuts }
  }

  for (const [name, wanted] of Object.entries(wishes)) {
    it(`keeps no set of a later connection while the consumer has not taken that of the first one, with ${name}`, async () => {
      // Fewer bytes than the stream's window.
      const message =
        name === 'one image'
          ? setBytes({ width: 450, height: 450, left: false })
          : setBytes({ width: 200, height: 200 })
      const server = await startGrpcServer({ images: (call) => sendSets(call, 1000, () => message) })
      servers.push(server)
      const relay = await cutting(server.port, () => 1.5 * message.length)
      const link = links.images({ port: relay.port, wanted, reconnects: true, longestPause: 10 })
      await eventually(() => relay.cuts().should.be.above(7), 20_000)
      await relay.stop()
      const first = await nextOf(link)
      should(first.connection).equal(1)
      const others: number[] = []
      const reading = (async () => {
        for await (const { connection } of link) others.push(connection)
      })()
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
      // The bytes of the newest connection may still be in its socket; a set of each of the others was kept before.
      should(others.filter((connection) => connection > 1 && connection < relay.cuts())).be.empty()
      should(others.length).be.belowOrEqual(1)
      await link.close()
      await reading
    })

    it(`keeps no memory of the sets that were taken, nor of the halves that were not, with ${name}`, async () => {
      const device = await startVirtualDevice({ port: 0, imagePort: 0 })
      servers.push(device)
      const random = seededRandom(7)
      let size = 3_000_000
      const relay = await cutting(device.ports.images?.port ?? 0, () => (0.3 + 2.4 * random()) * size)
      const link = links.images({ port: relay.port, wanted, reconnects: true, longestPause: 10 })
      const alive: WeakRef<ArrayBufferLike>[] = []
      const takeUntil = async (cuts: number) => {
        while (relay.cuts() < cuts) {
          const set = await nextOf(link)
          const parts = [set.left, set.right, set.disparity, set.error, set.confidence]
          size = parts.reduce((sum, part) => sum + (part?.data.length ?? 0), 0)
          const [part] = parts.filter((each) => each !== undefined)
          if (part) alive.push(new WeakRef(part.data.buffer))
        }
      }
      await takeUntil(3)
      const before = await heldAfterCollection()
      await takeUntil(20)
      const after = await heldAfterCollection()
      should(alive.length).be.above(15)
      // One that waits, and one that the loop above had last.
      should(alive.filter((each) => each.deref() !== undefined).length).be.belowOrEqual(2)
      should(after.external - before.external).be.below(3 * size)
    })
  }
})
