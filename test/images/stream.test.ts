import should from 'should'
import { images, type ErrorCode } from '../../lib'
import { sendSets, startGrpcServer, type GrpcCall, type GrpcServer } from './grpc-server'
import { slowName } from '../support/slow-addresses'
import { bytesOf, pixels, setBytes } from './messages'
import { allOf, failureOf, nextOf, useLinks } from './use-links'

const long = Boolean(process.env.CELLSIGHT_LONG)

describe('the image stream of an independent server', () => {
  const links = useLinks()
  const servers: GrpcServer[] = []
  const start = async (options: Parameters<typeof startGrpcServer>[0]) => {
    const server = await startGrpcServer(options)
    servers.push(server)
    return server
  }
  afterEach(() => servers.splice(0).forEach((server) => server.stop()))
  const slow = slowName()

  it('comes over a slow link from a host name with several addresses', async () => {
    const { port } = await start({ images: (call) => sendSets(call, 1, (number) => setBytes({ number })) })
    await slow.lead(port)
    const link = links.images({ host: slow.name, port, connectDeadline: 30_000 })
    should((await nextOf(link)).left).have.property('width')
  })

  it('arrives completely, in order and unchanged', async () => {
    const count = long ? 5000 : 300
    const { port } = await start({
      images: (call) => sendSets(call, count, (number) => setBytes({ number, width: 320, height: 240 })),
    })
    let seen = 0
    let error: unknown
    try {
      for await (const { left, disparity, timestamp, skipped, connection } of links.images({ port })) {
        seen++
        timestamp.should.equal(BigInt(1_700_000_000 + seen) * 1_000_000_000n + 123_456_789n)
        should([skipped, connection]).eql([0, 1])
        if (seen % 50 === 1) {
          should(left?.data.equals(pixels(320 * 240, seen))).be.true()
          should(disparity?.data.equals(pixels(2 * 320 * 240, seen))).be.true()
        }
      }
    } catch (caught) {
      error = caught
    }
    seen.should.equal(count)
    should(error).have.properties({ code: 'UNREACHABLE', key: 'images-ended' })
  })

  it('has large sets, with the parameters of the camera and the time of arrival', async () => {
    const { port } = await start({
      images: (call) => sendSets(call, 2, (number) => setBytes({ number, width: 2048, height: 1536 })),
    })
    const before = Date.now()
    const { left, disparity, receivedAt } = await nextOf(links.images({ port }))
    should(left).have.properties({ width: 2048, height: 1536, focalLength: 540, gain: 2 })
    should(disparity).have.properties({ baseline: 0.25, scale: 0.0625, encoding: 'mono16' })
    receivedAt.should.be.within(before, Date.now())
  })

  it('asks for what is wanted', async () => {
    const requests: unknown[] = []
    const { port } = await start({
      images: (call) => {
        requests.push(call.request)
        call.end()
      },
    })
    const mesh = { maxPoints: 5000, binning: 'nearest' as const }
    await allOf(links.images({ port, wanted: { right: true, confidence: true, color: true, mesh } }))
    requests.should.eql([
      {
        ...{ rightEnabled: true, confidenceEnabled: true, color: true, meshEnabled: true },
        meshOptions: { maxPoints: 5000, binningMethod: 'MIN_DEPTH' },
      },
    ])
  })

  it('may carry meshes', async () => {
    const data = Buffer.from('ply\nformat ascii 1.0\n')
    const { port } = await start({
      images: (call) => call.write(bytesOf('ImageSet', { mesh: { format: 'ply', data } })),
    })
    const { mesh, left } = await nextOf(links.images({ port, wanted: { mesh: {} } }))
    should(mesh).eql({ timestamp: 0n, format: 'ply', data })
    should(left).be.undefined()
  })

  it('can be cancelled in the middle, and the server sees it', async () => {
    const cancelled: Promise<void>[] = []
    const large = setBytes({ width: 1024, height: 768 })
    const { port } = await start({
      images: (call) => {
        cancelled.push(new Promise((resolve) => call.once('cancelled', resolve)))
        sendSets(call, Infinity, () => large)
      },
    })
    for (let round = 0; round < (long ? 200 : 20); round++) {
      const link = links.images({ port })
      for (let sets = 0; sets <= round % 3; sets++) await nextOf(link)
      await link.close()
      should(await link.next()).eql({ done: true, value: undefined })
    }
    await Promise.all(cancelled)
    for await (const set of links.images({ port })) {
      should(set.left).be.ok()
      break
    }
    await Promise.all(cancelled)
  })

  it('gives the newest set if told so, and the number of those that it replaced', async () => {
    const count = 50
    const opened: GrpcCall[] = []
    const { port } = await start({
      images: (call) => {
        opened.push(call)
        call.write(setBytes({ number: 1 }))
      },
    })
    const link = links.images({ port, newestOnly: true })
    ;(await nextOf(link)).skipped.should.equal(0)
    for (let number = 2; number <= count; number++)
      opened[0]?.write(setBytes({ number, width: 64, height: 48 }))
    let seen = 1
    for (let newest = 0n; newest < BigInt(1_700_000_000 + count);) {
      const { skipped, timestamp } = await nextOf(link)
      seen += 1 + skipped
      newest = timestamp / 1_000_000_000n
    }
    seen.should.equal(count)
  })

  it('tells when the pictures are taken', async () => {
    const { port } = await start({
      events: (call) => {
        should(call.request).eql({ depthAcquisitionDoneEnabled: true })
        call.write(bytesOf('ImageEvents', { imagesetTimestamp: '7' }))
        const depthAcquisitionDone = { timestamp: '1700000000123456789' }
        call.write(bytesOf('ImageEvents', { depthAcquisitionDone, imagesetTimestamp: '1700000000113456789' }))
      },
    })
    const { takenAt, timestamp } = await nextOf(links.events({ port }))
    should(takenAt).equal(1_700_000_000_123_456_789n)
    timestamp.should.equal(1_700_000_000_113_456_789n)
  })

  it('says that a device has no events, or no images', async () => {
    const { port } = await start({ images: (call) => call.end() })
    const failure = await failureOf(links.events({ port }).next())
    failure.should.have.properties({ code: 'NOT_FOUND', key: 'images-not-served' })
    failure.message.should.match(/^cell 1: port \d+ does not offer events of the image stream/)
    const other = await start({ events: (call) => call.end() })
    const none = await failureOf(links.images({ port: other.port, language: 'de' }).next())
    none.message.should.match(/bietet einen Bildstrom nicht an/)
  })

  const statuses: Record<number, ErrorCode> = {
    ...{ 1: 'UNREACHABLE', 2: 'BAD_REPLY', 3: 'BAD_REQUEST', 4: 'TIMEOUT', 5: 'NOT_FOUND', 6: 'REFUSED' },
    ...{ 7: 'FORBIDDEN', 8: 'RATE_LIMITED', 9: 'REFUSED', 10: 'REFUSED', 11: 'BAD_REQUEST', 12: 'NOT_FOUND' },
    ...{ 13: 'DEVICE_FAULT', 14: 'STARTING', 15: 'DEVICE_FAULT', 16: 'UNAUTHORIZED' },
  }
  it('ends with a stable code for each status, with what the device says', async () => {
    let code = 0
    const { port } = await start({
      images: (call) => {
        if (code % 2) call.write(setBytes())
        call.emit('error', { code, details: 'über 50 % Last' })
      },
    })
    for (const [status, expected] of Object.entries(statuses)) {
      code = Number(status)
      const { items, error } = await allOf(links.images({ port }))
      items.length.should.equal(code % 2)
      should(error?.code).equal(expected, status)
      should(error?.message).containEql('The device reports: über 50 % Last.')
      should(error?.cause).have.properties({ reason: `gRPC status ${status}`, address: `127.0.0.1:${port}` })
    }
  })

  it('says that a licence is missing', async () => {
    const { port } = await start({
      images: (call) => call.emit('error', { code: 7, details: 'no license for stereo' }),
    })
    const failure = await failureOf(links.images({ port }).next())
    failure.should.have.properties({ code: 'REFUSED', key: 'images-licence' })
  })

  it('is opened again after the server was stopped and started', async () => {
    const states: (string | true)[] = []
    const stream = (call: GrpcCall) => call.write(setBytes())
    const first = await start({ images: stream })
    const { port } = first
    const link = links.images({
      ...{ port, reconnects: true },
      onState: (state) => states.push(state.open || state.error.code),
    })
    ;(await nextOf(link)).connection.should.equal(1)
    link.isOpen.should.be.true()
    first.stop()
    const second = nextOf(link)
    await start({ images: stream, port })
    ;(await second).connection.should.be.above(1)
    states[0]?.should.equal(true)
    states.at(-1)?.should.equal(true)
    states.length.should.be.above(2)
  })

  it('survives a server that retires: what is under way arrives', async () => {
    let call: GrpcCall | undefined
    const server = await start({
      images: (opened) => {
        call = opened
        opened.write(setBytes({ number: 1 }))
      },
    })
    const link = links.images({ port: server.port })
    await nextOf(link)
    const retired = server.retire()
    call?.write(setBytes({ number: 2, width: 640, height: 480 }))
    call?.end()
    should((await nextOf(link)).left?.width).equal(640)
    ;(await failureOf(link.next())).key.should.equal('images-ended')
    await retired
  })

  it('counts as lost when it is silent for too long', async () => {
    const { port } = await start({ images: (call) => call.write(setBytes()) })
    const { items, error } = await allOf(links.images({ port, longestSilence: 200 }))
    items.length.should.equal(1)
    should(error).have.properties({ code: 'TIMEOUT', key: 'images-silent' })
    should(error?.message).containEql('acquisition mode')
  })

  it('ends when it is aborted, before and while it is open', async () => {
    const { port } = await start({ images: (call) => call.write(setBytes()) })
    const early = links.images({ port, signal: AbortSignal.abort() })
    ;(await failureOf(early.opened())).code.should.equal('ABORTED')
    const stop = new AbortController()
    const link = links.images({ port, signal: stop.signal, reconnects: true })
    await link.opened()
    await nextOf(link)
    const next = link.next()
    stop.abort()
    ;(await failureOf(next)).should.have.properties({ code: 'ABORTED', key: 'images-aborted' })
    should(await link.next()).eql({ done: true, value: undefined })
    ;(await failureOf(link.opened())).code.should.equal('ABORTED')
  })

  it('refuses options that cannot be used, before it connects', () => {
    const wanted = { left: true }
    for (const [option, wrong] of Object.entries({
      wanted: { wanted: {} },
      host: { host: 'a/b' },
      port: { port: 70_000 },
      connectDeadline: { connectDeadline: 0 },
      longestSilence: { longestSilence: Number.NaN },
      longestPause: { longestPause: -1 },
      maxMessageBytes: { maxMessageBytes: 0.5 },
    }))
      should(() => images.openImages({ host: '127.0.0.1', port: 1, wanted, ...wrong })).throw({
        ...{ code: 'INVALID_INPUT', message: new RegExp(`option ${option} must be`) },
      })
    should(() =>
      images.openImages({ host: '127.0.0.1', port: 1, wanted: { mesh: { maxPoints: 10 } } }),
    ).throw(/1000 points/)
  })
})
