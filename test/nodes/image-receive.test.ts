import { once } from 'node:events'
import type { NodeMessage } from 'node-red'
import should from 'should'
import { imageReceiveNode } from '../../nodes/image-receive/fields'
import { pacingOf } from '../../nodes/image-receive/image-receive'
import { defaultsOf } from '../../nodes/shared/fields/checked-fields'
import type { VisionResult } from '../../nodes/shared/outcome'
import { startGrpcServer, type GrpcCall, type GrpcServer } from '../images/grpc-server'
import { setBytes } from '../images/messages'
import { readPly } from '../images/support/read-ply'
import { readPng } from '../images/support/read-png'
import { useBench, type Bench, type Caught } from '../support/bench'
import { eventually } from '../support/eventually'

const type = 'vision-image-receive'
const deploys = process.env['CELLSIGHT_LONG'] ? 300 : 20

interface PictureMessage extends NodeMessage {
  payload: Buffer
  images: { timestamp: number; skipped: number; left: { width: number } }
  vision: VisionResult
}

/** An image service by another implementation, whose sets a test sends itself. */
class ImageService {
  /** Streams that are open. */
  readonly calls = new Set<GrpcCall>()
  readonly requests: Record<string, unknown>[] = []
  port = 0
  #server: GrpcServer | undefined

  async start(): Promise<void> {
    this.#server = await startGrpcServer({
      port: this.port,
      images: (call) => {
        this.calls.add(call)
        this.requests.push(call.request)
        call.once('cancelled', () => this.calls.delete(call))
      },
    })
    this.port = this.#server.port
  }

  stop(): void {
    this.#server?.stop()
    this.calls.clear()
  }

  send(options: Parameters<typeof setBytes>[0] = {}): void {
    for (const call of this.calls) call.write(setBytes(options))
  }

  /** Resolves when a stream is open. */
  opened = () => eventually(() => this.calls.size.should.equal(1))
}

/** A node on a device whose images come from a service of the test. */
function useImages(fields: object = {}): { bench: Bench; service: ImageService } {
  const service = new ImageService()
  const device = { imagePort: 0 }
  before(async () => {
    await service.start()
    device.imagePort = service.port
  })
  const bench = useBench({ type, ...fields }, { config: device })
  after(() => service.stop())
  return { bench, service }
}

const next = async (bench: Bench): Promise<PictureMessage> => {
  const [message] = (await once(bench.helperNode('out0'), 'input')) as [PictureMessage]
  return message
}

/** What comes after this action. */
async function cameAfter<Result>(waited: Promise<Result>, act: () => unknown): Promise<Result> {
  await act()
  return waited
}

describe('image-receive', () => {
  const { bench, service } = useImages({ send: 'every' })

  it('sends the left picture as PNG, and tells what is known of it', async () => {
    await service.opened()
    should(service.requests[0]).eql({ leftEnabled: true })
    const { payload, images, vision } = await cameAfter(next(bench), () => service.send({ number: 1 }))
    const { values, ...size } = readPng(payload)
    size.should.deepEqual({ width: 8, height: 6, depth: 8, channels: 1 })
    values.slice(0, 3).should.deepEqual([1, 8, 15])
    images.should.match({ timestamp: 1_700_000_001.123456, skipped: 0, left: { focalLength: 540, gain: 2 } })
    vision.should.match({ text: 'picture 8 x 6', state: 'done', code: 0 })
  })

  it('sends every set in order', async () => {
    const seen: number[] = []
    const all = new Promise<void>((resolve) =>
      bench.helperNode('out0').on('input', (message) => {
        seen.push((message as PictureMessage).images.timestamp)
        if (seen.length === 50) resolve()
      }),
    )
    for (let number = 1; number <= 50; number++) service.send({ number })
    await all
    bench.listen()
    seen.map(Math.floor).should.deepEqual(Array.from({ length: 50 }, (_, index) => 1_700_000_001 + index))
  })

  it('reports a set that lacks a part once, and continues', async () => {
    const caught = once(bench.helperNode('caught'), 'input') as Promise<[{ error: Caught }]>
    service.send({ number: 1, left: false })
    service.send({ number: 2, left: false })
    const [{ error }] = await caught
    error.should.match({ code: 'BAD_REPLY', message: /has no left\./ })
    const more: unknown[] = []
    bench.helperNode('caught').on('input', (message) => more.push(message))
    ;(await cameAfter(next(bench), () => service.send({ number: 3 }))).images.timestamp.should.be.above(
      1_700_000_003,
    )
    more.should.be.empty()
  })

  it('shows that the device sends nothing before a trigger, and when the last image came', async () => {
    await bench.deploy()
    await bench.status('awaitingImages')
    await service.opened()
    await cameAfter(next(bench), () => service.send())
    await bench.status('lastImage')
  }).timeout(120_000)

  it('shows the rate', async () => {
    const timer = setInterval(() => service.send(), 50)
    try {
      await bench.status('receiving')
    } finally {
      clearInterval(timer)
    }
  })

  it('refuses messages that are no command', async () => {
    for (const payload of ['begin', 1, undefined])
      await bench
        .send({ payload })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /Send start or stop/ })
  })
})

describe('image-receive at a limited rate', () => {
  const { bench, service } = useImages({ send: 'rate', rate: 20 })

  it('takes the next set a period after the last one', async () => {
    const { turn } = pacingOf({ ...defaultsOf(imageReceiveNode), send: 'rate', rate: 20 })
    const { signal } = new AbortController()
    for (let count = 0; count < 5; count++) {
      const taken = performance.now()
      await turn(taken, signal)
      // A timer may fire up to a millisecond early.
      ;(performance.now() - taken).should.be.above(48)
    }
    // A set that took longer than the period is followed at once, and a close ends the wait.
    await turn(performance.now() - 1000, signal)
    await turn(performance.now() + 1e9, AbortSignal.abort())
  })

  it('sends the newest, and tells how many it skipped', async () => {
    await service.opened()
    let number = 0
    const timer = setInterval(() => service.send({ number: ++number }), 5)
    try {
      let last = await next(bench)
      let skipped = 0
      for (let count = 0; count < 10; count++) {
        const message = await next(bench)
        message.images.timestamp.should.be.above(last.images.timestamp)
        skipped += message.images.skipped
        last = message
      }
      skipped.should.be.above(0)
      await bench.status('imagesSkipped')
    } finally {
      clearInterval(timer)
    }
  })
})

describe('image-receive on change', () => {
  const { bench, service } = useImages({ send: 'change', depth: 'millimetres' })

  it('sends a set only if its picture differs from the one before', async () => {
    await service.opened()
    const grey = { width: 64, height: 48 }
    await cameAfter(next(bench), () => service.send({ ...grey, number: 10 }))
    const changed = next(bench)
    // The pixels count upwards, so a start of 10 + 256 is the same picture at another time.
    service.send({ ...grey, number: 10 + 256 })
    service.send({ ...grey, number: 10 + 512 })
    service.send({ width: 4, height: 3, number: 100 })
    const { images, payload } = await changed
    images.left.width.should.equal(4)
    Object.keys(payload).should.deepEqual(['left', 'depth'])
  })
})

describe('image-receive started and stopped by messages', () => {
  const { bench, service } = useImages({ starts: 'message', left: 'colour' })

  it('starts and stops, and tells so', async () => {
    await bench.status('stopped')
    const started = await bench.sendAndSee({ payload: 'start' })
    started.should.match({ output: 1, message: { payload: 'started', vision: { text: 'receiving images' } } })
    await service.opened()
    should(service.requests.at(-1)).eql({ leftEnabled: true, color: true })
    await cameAfter(next(bench), () => service.send())
    ;(await bench.sendAndSee({ payload: false })).should.match({ output: 1, message: { payload: 'stopped' } })
    await eventually(() => service.calls.size.should.equal(0))
    await bench.status('stopped')
  })

  it('starts again with the values of a further message, with one stream at a time', async () => {
    await bench.send({ payload: true })
    await service.opened()
    const before = service.requests.length
    await bench.send({ payload: true })
    await eventually(() => service.requests.length.should.equal(before + 1))
    await service.opened()
    await bench.send({ payload: 'stop' })
  })
})

describe('image-receive on a device that loses its image service', () => {
  const { bench, service } = useImages({ send: 'every' })

  it('reports it once, while the device itself answers, and receives again when it is back', async () => {
    await service.opened()
    await cameAfter(next(bench), () => service.send({ number: 1 }))
    const caught = once(bench.helperNode('caught'), 'input') as Promise<[{ error: Caught }]>
    service.stop()
    const [{ error }] = await caught
    error.should.match({ code: 'UNREACHABLE', source: { type } })
    await bench.status('UNREACHABLE')
    await service.start()
    const again = next(bench)
    await service.opened()
    service.send({ number: 2 })
    ;(await again).images.timestamp.should.be.above(1_700_000_002)
  })

  it('leaves the status to the device when that has gone too', async () => {
    await bench.device.stop()
    service.stop()
    await bench.state('unreachable')
    await bench.status('unreachable')
  })
})

describe('image-receive that is deployed again and again', () => {
  const { bench, service } = useImages({ send: 'every' })
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

  it('leaves no stream and no socket behind', async () => {
    await bench.deployWithout()
    await eventually(() => service.calls.size.should.equal(0))
    const before = sockets()
    for (let deploy = 0; deploy < deploys; deploy++) {
      await bench.deploy({ name: `deploy ${deploy}` }, deploy % 2 ? 'nodes' : 'full')
      // Deploys happen at any moment: before the stream is open, and while pictures flow.
      if (deploy % 3 === 1) await service.opened()
      if (deploy % 3 === 2) {
        await service.opened()
        await cameAfter(next(bench), () => service.send())
      }
    }
    await bench.deployWithout()
    await eventually(() => service.calls.size.should.equal(0))
    await eventually(() => sockets().should.be.belowOrEqual(before))
  }).timeout(60_000 + 500 * deploys)
})

describe('image-receive with the virtual device', () => {
  const fields = { type, send: 'every', depth: 'metres', confidence: true, picturesAs: 'raw' }
  const bench = useBench(fields, { device: { imagePort: 0 } })

  interface Raw<Data> {
    width: number
    height: number
    data: Data
  }
  type Parts = { left: Raw<Buffer>; depth: Raw<Float32Array>; confidence: Raw<Buffer> }
  const parts = async () => (await next(bench)).payload as unknown as Parts

  it('receives pictures and depth of the simulated cell', async () => {
    const { left, depth, confidence } = await parts()
    left.data.length.should.equal(left.width * left.height)
    new Set(left.data).size.should.be.above(10)
    should([depth.width, depth.height]).deepEqual([confidence.width, confidence.height])
    const measured = depth.data.filter((metres) => !Number.isNaN(metres))
    measured.length.should.be.above(depth.data.length / 10)
    measured.every((metres) => metres > 0.1 && metres < 20).should.be.true()
    await bench.status('receiving')
  })

  it('receives again after the device has restarted', async () => {
    bench.device.setScenario({ boot_seconds: 0.2, boot_502_seconds: 0.1 })
    await fetch(`${bench.device.url}/api/v2/system/reboot`, { method: 'PUT' })
    await parts()
    await bench.status('receiving')
    await parts()
  })

  it('sends the points of the cell as PLY', async () => {
    await bench.deploy({ left: 'none', depth: 'none', confidence: false, cloud: 'message', cloudCell: 5 })
    const points = readPly((await next(bench)).payload)
    points.length.should.be.above(100)
    points.every(({ z = NaN, red = NaN }) => z > 0.1 && z < 20 && red <= 255).should.be.true()
  })
})
