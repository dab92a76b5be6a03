import should from 'should'
import { images } from '../../lib'
import { CameraView } from '../../lib/images/camera-view'
import { eventually } from '../support/eventually'
import { closedAddress } from '../support/misbehaving-server'
import { startGrpcServer, type GrpcCall, type GrpcServer } from './grpc-server'
import { setBytes } from './messages'
import { readPng } from './support/read-png'
import { failureOf } from './use-links'

/** Long waits, which no busy machine reaches, and short ones, which end by themselves. */
const [long, short] = [60_000, 20]

describe('the views of a camera', () => {
  let server: GrpcServer
  let calls: GrpcCall[]
  let open: Set<GrpcCall>
  const views: images.CameraViews[] = []

  beforeEach(async () => {
    calls = []
    open = new Set()
    server = await startGrpcServer({
      images: (call) => {
        calls.push(call)
        open.add(call)
        call.once('cancelled', () => open.delete(call))
      },
    })
  })
  afterEach(async () => {
    await Promise.all(views.splice(0).map((each) => each.close()))
    server.stop()
  })

  const viewsOf = (times: ConstructorParameters<typeof images.CameraViews>[0] = {}) => {
    const made = new images.CameraViews({ patience: long, linger: long, keeps: long, ...times })
    views.push(made)
    return made
  }
  const at = (part: images.ViewPart, port = server.port) => ({
    place: { host: '127.0.0.1', port, device: 'Cell 1', random: () => 0 },
    part,
  })
  const opened = (count: number) => eventually(() => open.size.should.equal(count))
  const send = (number: number, size = {}) => {
    for (const call of open) call.write(setBytes({ number, ...size }))
  }

  it('are one stream and one picture for all who look at the same time', async () => {
    const all = viewsOf()
    const looks = [1, 2, 3].map(() => all.look(at('left')))
    await opened(1)
    send(1)
    const pictures = (await Promise.all(looks)).map(({ picture }) => picture)
    should(calls.length).equal(1)
    should(calls[0]?.request).have.properties({ leftEnabled: true })
    const [first] = pictures
    should(first).match({ width: 8, height: 6, camera: { focalLength: 540, principalPoint: { u: 4, v: 3 } } })
    should(first?.takenAt).be.approximately(1_700_000_001.123456, 1e-6)
    for (const picture of pictures) should(picture?.png).equal(first?.png)
    const { width, height, channels } = readPng(first?.png ?? Buffer.alloc(0))
    should({ width, height, channels }).eql({ width: 8, height: 6, channels: 1 })
  })

  it('show the depth in colours and the confidence, from streams of their own', async () => {
    const all = viewsOf()
    const [depth, confidence] = [all.look(at('depth')), all.look(at('confidence'))]
    await opened(2)
    send(1)
    should(readPng((await depth).picture?.png ?? Buffer.alloc(0)).channels).equal(3)
    should(readPng((await confidence).picture?.png ?? Buffer.alloc(0)).channels).equal(1)
    const asked = calls.map(({ request }) => [request['disparityEnabled'], request['confidenceEnabled']])
    should(asked.map((each) => each.map(Boolean))).eql([
      [true, false],
      [false, true],
    ])
  })

  it('give the viewer only a newer picture, and tell since when there is none', async () => {
    const all = viewsOf({ patience: short })
    const before = Date.now()
    const nothing = await all.look(at('left'))
    should(nothing.picture).be.undefined()
    should(nothing.since).be.aboveOrEqual(before)
    send(1)
    let shown: images.ViewedPicture | undefined
    await eventually(async () => {
      shown = (await all.look(at('left'))).picture
      should(shown).be.ok()
    })
    const after = shown?.receivedAt ?? 0
    should(await all.look(at('left'), { after })).eql({ since: after })
  })

  it('leave out what waited on its way while nobody read', async () => {
    const all = viewsOf()
    const first = all.look(at('left'))
    await opened(1)
    const taken = () => 1_700_000_000 + (Date.now() - started) / 1000
    const started = Date.now()
    send(0)
    const { picture } = await first
    // Held up: taken now, read later.
    send(0.001)
    send(0.002)
    const next = all.look(at('left'), { after: picture?.receivedAt })
    await next
    await eventually(async () => {
      send(taken() - 1_700_000_000)
      const { picture: newest } = await all.look(at('left'), { after: picture?.receivedAt })
      should(newest?.takenAt).be.above(1_700_000_000.2)
    })
  })

  it('close the stream soon after the last viewer, keep the picture for a while, and open it again', async () => {
    const all = viewsOf({ linger: short, patience: short })
    // On a busy computer the patience may end before the picture comes.
    await eventually(async () => {
      const looking = all.look(at('left'))
      await eventually(() => open.size.should.equal(1), 1000)
      send(1)
      should((await looking).picture).be.ok()
    })
    await opened(0)
    await eventually(async () => {
      const { picture } = await all.look(at('left'))
      should(picture?.takenAt).be.approximately(1_700_000_001, 1)
    })
    should(calls.length).be.above(1)
  })

  it('forget the picture in the end', async () => {
    let view: CameraView | undefined
    const forgotten = new Promise<void>((resolve) => {
      const times = { linger: short, keeps: short, patience: long }
      view = new CameraView({ ...at('left'), ...times, onForgotten: resolve })
    })
    const first = view?.look()
    await opened(1)
    send(1)
    should(await first).have.property('picture')
    await forgotten
    // A picture that was kept would be the answer.
    const failing = failureOf(view?.look() ?? Promise.resolve())
    await opened(1)
    await view?.close()
    should(await failing).have.properties({ code: 'ABORTED' })
  })

  it('are four at most on one device, whatever is asked', async () => {
    const all = viewsOf({ patience: short })
    const ports = [1, 2, 3, 4].map((step) => server.port + step)
    const looks = ports.map((port) => all.look(at('left', port)).catch(() => undefined))
    const look = async () => all.look(at('left'))
    should(await failureOf(look())).have.properties({ code: 'BUSY' })
    await Promise.all(looks)
  })

  it('say why there is no picture, and recover', async () => {
    const all = viewsOf()
    const port = Number(new URL(await closedAddress()).port)
    const failure = await failureOf(all.look(at('left', port)))
    failure.code.should.equal('UNREACHABLE')
    failure.message.should.startWith(`Cell 1: cannot receive images, because port ${port}`)
    const late = await startGrpcServer({
      port,
      images: (call) => {
        call.write(setBytes({ number: 1 }))
      },
    })
    try {
      await eventually(async () => should((await all.look(at('left', port))).picture).be.ok())
    } finally {
      late.stop()
    }
  })

  it('end a question that waits when they are closed, and when its browser has gone', async () => {
    const all = viewsOf()
    const gone = new AbortController()
    const left = all.look(at('left'), { signal: gone.signal })
    await opened(1)
    gone.abort()
    should((await left).picture).be.undefined()
    const waiting = all.look(at('left'))
    const closing = failureOf(waiting)
    await all.close()
    should(await closing).have.properties({ code: 'ABORTED' })
    await opened(0)
  })

  it('thin pictures that are wider than a screen', async () => {
    const all = viewsOf()
    const look = all.look(at('left'))
    await opened(1)
    send(1, { width: 3000, height: 100 })
    const { picture } = await look
    should(picture).match({ width: 3000, height: 100 })
    const { width, height, values } = readPng(picture?.png ?? Buffer.alloc(0))
    should([width, height]).eql([1000, 33])
    // Every third pixel: the test pattern counts by seven.
    should(values.slice(0, 3)).eql([1, 22, 43])
  })
})
