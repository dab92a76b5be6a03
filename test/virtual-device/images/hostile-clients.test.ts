import { once } from 'node:events'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { connect, type Socket } from 'node:net'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../../virtual-device'
import { openImages } from '../../../lib/images'
import * as h2 from '../../images/support/http2-frames'
import { eventually } from '../../support/eventually'
import { setsMethod, there } from './image-client'

/** Asks for the left image. */
const request = Buffer.from([0, 0, 0, 0, 2, 8, 1])
const headers = h2.frame(
  ...([h2.headersFrame, h2.endHeaders, 1] as const),
  Buffer.concat([
    ...[h2.field(':method', 'POST'), h2.field(':scheme', 'http'), h2.field(':path', setsMethod)],
    ...[h2.field(':authority', 'device'), h2.field('content-type', 'application/grpc')],
    h2.field('te', 'trailers'),
  ]),
)
const data = (bytes: Buffer, flags = 0) => h2.frame(h2.dataFrame, flags, 1, bytes)
const asked = Buffer.concat([h2.preface, headers, data(request, h2.endStream)])
const prefix = (length: number, flag = 0) => Buffer.concat([Buffer.from([flag]), h2.word(length)])
const reset = (code: number) => h2.frame(h2.resetFrame, 0, 1, h2.word(code))
const goaway = (code: number) => h2.frame(h2.goawayFrame, 0, 0, Buffer.concat([h2.word(0), h2.word(code)]))

describe('the image service of the virtual device, beside hostile clients', () => {
  let device: VirtualDevice
  let port: number
  const sockets: Socket[] = []
  const sessions: ClientHttp2Session[] = []
  before(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
    port = there(device.ports.images).port
  })
  after(() => device.stop())
  afterEach(() => {
    for (const one of [...sockets.splice(0), ...sessions.splice(0)]) one.destroy()
  })

  const dial = () => {
    const socket = connect({ host: '127.0.0.1', port })
    sockets.push(socket)
    return socket.on('error', () => undefined)
  }
  const session = () => {
    const opened = connectHttp2(`http://127.0.0.1:${port}`)
    sessions.push(opened)
    return opened.on('error', () => undefined)
  }
  const call = (on: ClientHttp2Session) =>
    on
      .request({ ':method': 'POST', ':path': setsMethod, 'content-type': 'application/grpc', te: 'trailers' })
      .on('error', () => undefined)
  const stream = () =>
    openImages({ host: '127.0.0.1', port, wanted: { left: true }, reconnects: false, newestOnly: false })
  const next = async (link: ReturnType<typeof stream>) => should((await link.next()).value).be.ok()

  /** The bytes that a client sends on a connection of its own. */
  const behaviours: Record<string, Buffer> = {
    'sends half a greeting': h2.preface.subarray(0, 11),
    'speaks HTTP/1.1': Buffer.from('GET / HTTP/1.1\r\nHost: device\r\n\r\n'),
    'sends noise': Buffer.concat([h2.preface, Buffer.alloc(3000, 255)]),
    'sends half a frame': Buffer.concat([h2.preface, headers.subarray(0, 30)]),
    'sends headers that cannot be read': Buffer.concat([
      h2.preface,
      h2.frame(h2.headersFrame, h2.endHeaders, 1, Buffer.alloc(40, 255)),
    ]),
    'sends half a prefix': Buffer.concat([h2.preface, headers, data(Buffer.alloc(3), h2.endStream)]),
    'sends half a request': Buffer.concat([h2.preface, headers, data(request.subarray(0, 6), h2.endStream)]),
    'announces 2 GiB': Buffer.concat([h2.preface, headers, data(prefix(2 ** 31), h2.endStream)]),
    'announces 4 GiB, and goes on sending': Buffer.concat([
      h2.preface,
      ...[headers, data(prefix(2 ** 32 - 1)), data(Buffer.alloc(16_000)), data(Buffer.alloc(16_000))],
    ]),
    'compresses its request': Buffer.concat([
      ...[h2.preface, headers],
      data(Buffer.concat([prefix(2, 1), request.subarray(5)]), h2.endStream),
    ]),
    'sends a request that cannot be read': Buffer.concat([
      ...[h2.preface, headers],
      data(Buffer.concat([prefix(40), Buffer.alloc(40, 255)]), h2.endStream),
    ]),
    'resets its stream within the request': Buffer.concat([h2.preface, headers, data(request), reset(8)]),
    'resets its stream without an error': Buffer.concat([h2.preface, headers, data(request), reset(0)]),
    'resets a request that is refused': Buffer.concat([h2.preface, headers, data(Buffer.alloc(3)), reset(0)]),
    'resets its stream after the request': Buffer.concat([asked, reset(8)]),
    'gives up its connection, and stays': Buffer.concat([asked, goaway(0)]),
    'gives up its connection with an error': Buffer.concat([asked, goaway(2)]),
    'takes more than a window can be': Buffer.concat([
      asked,
      h2.frame(h2.windowFrame, 0, 1, h2.word(2 ** 31 - 1)),
    ]),
  }

  it('serves the others, whatever one sends, and whether it stays or leaves', async () => {
    const other = stream()
    await next(other)
    for (const bytes of Object.values(behaviours))
      for (const leave of [
        () => undefined,
        (socket: Socket) => socket.end(),
        (socket: Socket) => socket.resetAndDestroy(),
      ]) {
        const socket = dial()
        await once(socket, 'connect')
        socket.resume()
        await new Promise<unknown>((resolve) => socket.write(bytes, resolve))
        leave(socket)
      }
    await next(other)
    await next(other)
    for (const socket of sockets.splice(0)) socket.destroy()
    // The places of all that have gone are free again.
    await eventually(async () => {
      const eight = [other, ...Array.from({ length: 7 }, stream)]
      try {
        await Promise.all(eight.map(next))
      } finally {
        await Promise.all(eight.slice(1).map((link) => link.close()))
      }
    })
    await other.close()
  })

  it('serves the others after thousands of cancelled calls and connections', async () => {
    const other = stream()
    await next(other)
    for (let round = 0; round < 30; round++) {
      const one = session()
      await once(one, 'remoteSettings')
      const calls = Array.from({ length: 100 }, () => call(one))
      for (const [index, each] of calls.entries()) {
        if (index % 3) each.end(request)
        each.close(index % 2 ? 8 : 0)
      }
      for (const each of calls) if (!each.destroyed) await once(each, 'close')
      one.destroy()
    }
    for (let round = 0; round < 1000; round++) dial().destroy()
    await next(other)
    await eventually(async () => {
      const seven = Array.from({ length: 7 }, stream)
      try {
        await Promise.all(seven.map(next))
      } finally {
        await Promise.all(seven.map((link) => link.close()))
      }
    })
    await next(other)
    await other.close()
  })

  for (const [what, wanted] of [
    ['one image', request],
    ['five images', Buffer.from([0, 0, 0, 0, 10, 8, 1, 16, 1, 24, 1, 32, 1, 40, 1])],
  ] as const)
    it(`answers on a connection after 100 cancelled calls for ${what} each`, async () => {
      const one = session()
      const cancel = async () => {
        const cancelled = call(one)
        cancelled.end(wanted)
        const [answer] = (await once(cancelled, 'response')) as [Record<string, unknown>]
        should(answer).not.have.property('grpc-status')
        // The rest of its images is left unread.
        await once(cancelled, 'readable')
        cancelled.close(8)
        await once(cancelled, 'close')
      }
      for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 5 }, cancel))
      const last = call(one)
      last.end(wanted)
      let [bytes, length] = [0, Infinity]
      for await (const chunk of last as AsyncIterable<Buffer>) {
        if (bytes === 0) length = chunk.readUInt32BE(1)
        bytes += chunk.length
        if (bytes > length) break
      }
      bytes.should.be.above(length)
    }).timeout(60_000)

  it('ends a request that has no end, and takes no more of it', async () => {
    const one = session()
    const endless = call(one)
    const status = once(endless, 'response') as Promise<[Record<string, unknown>]>
    endless.write(prefix(2 ** 31))
    let taken = 0
    const more = (error?: Error | null) => {
      if (error || endless.destroyed) return
      endless.write(Buffer.alloc(16_384), (failed) => {
        taken++
        more(failed)
      })
    }
    more()
    endless.resume()
    should((await status)[0]).containEql({ 'grpc-status': '8' })
    await once(endless, 'close')
    // A window of HTTP/2, and what was on its way.
    taken.should.be.below(20)
    const link = stream()
    await next(link)
    await link.close()
  })

  it('keeps 64 connections at most, and those that it serves', async () => {
    const other = stream()
    await next(other)
    const idle = Array.from({ length: 200 }, dial)
    const isOpen = (socket: Socket) => !socket.destroyed
    for (const socket of idle) {
      socket.on('end', () => socket.destroy())
      socket.resume()
    }
    await eventually(() => idle.filter(isOpen).length.should.be.belowOrEqual(63))
    await next(other)
    const late = stream()
    await next(late)
    await Promise.all([other.close(), late.close()])
  })
})
