import { gzipSync } from 'node:zlib'
import type { ServerHttp2Stream } from 'node:http2'
import should from 'should'
import type { ErrorCode } from '../../lib'
import { eventually } from '../support/eventually'
import { setBytes } from './messages'
import { accept, finish, framed, startRawServer, startTcpServer, type RawServer } from './raw-server'
import { allOf, failureOf, nextOf, useLinks } from './use-links'

const set = setBytes()

describe('the image stream of a broken server', () => {
  const links = useLinks()
  const servers: RawServer[] = []
  const serve = async (started: Promise<RawServer>) => {
    const server = await started
    servers.push(server)
    return server.port
  }
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())))

  const send =
    (bytes: Buffer, status = '0') =>
    (stream: ServerHttp2Stream) => {
      accept(stream)
      stream.write(bytes)
      finish(stream, status)
    }

  /** What the server does after the request, the failure, and how many sets arrive before. */
  const behaviours: Record<string, [(stream: ServerHttp2Stream) => void, ErrorCode, string, number?]> = {
    'ends within a set': [send(framed(set).subarray(0, 90)), 'BAD_REPLY', 'images-cut-off'],
    'ends within a prefix': [send(Buffer.alloc(3)), 'BAD_REPLY', 'images-cut-off'],
    'ends within the second set': [
      send(Buffer.concat([framed(set), framed(set).subarray(0, -1)])),
      ...(['BAD_REPLY', 'images-cut-off', 1] as const),
    ],
    'fails within a set': [send(framed(set).subarray(0, 90), '13'), 'DEVICE_FAULT', 'images-fault'],
    'announces 2 GiB': [send(framed(set, 2 ** 31)), 'BAD_REPLY', 'images-too-long'],
    'announces 4 GiB': [send(framed(set, 2 ** 32 - 1)), 'BAD_REPLY', 'images-too-long'],
    'announces one byte too many': [send(framed(set, 300 * 2 ** 20 + 1)), 'BAD_REPLY', 'images-too-long'],
    compresses: [send(framed(gzipSync(set), undefined, 1)), 'BAD_REPLY', 'images-compressed'],
    'compresses the second set': [
      send(Buffer.concat([framed(set), framed(gzipSync(set), undefined, 1)])),
      ...(['BAD_REPLY', 'images-compressed', 1] as const),
    ],
    'sends a wrong length inside a set': [
      send(framed(set.subarray(0, -7))),
      ...(['BAD_REPLY', 'images-unreadable'] as const),
    ],
    'sends noise': [send(framed(Buffer.alloc(300, 255))), 'BAD_REPLY', 'images-unreadable'],
    'ends without a status': [
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
        stream.end(framed(set))
      },
      ...(['BAD_REPLY', 'images-status', 1] as const),
    ],
    'sends a status that is no number': [send(framed(set), 'fine'), 'BAD_REPLY', 'images-status', 1],
    'sends an unknown status': [send(framed(set), '99'), 'BAD_REPLY', 'images-status', 1],
    'refuses at once': [
      (stream) =>
        stream.respond(
          { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '14', 'grpc-message': '%zz' },
          { endStream: true },
        ),
      ...(['STARTING', 'images-starting'] as const),
    ],
    'knows no such path': [
      (stream) => stream.respond({ ':status': 404 }, { endStream: true }),
      'NOT_FOUND',
      'images-not-served',
    ],
    'asks for a login': [
      (stream) => stream.respond({ ':status': 401 }),
      'UNAUTHORIZED',
      'images-http-status',
    ],
    'is a gateway without its device': [
      (stream) => stream.respond({ ':status': 503 }),
      'STARTING',
      'images-starting',
    ],
    'has a teapot': [(stream) => stream.respond({ ':status': 418 }), 'BAD_REPLY', 'images-http-status'],
    'sends a web page': [
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'text/html' })
        stream.end('<html>')
      },
      ...(['BAD_REPLY', 'images-not-grpc'] as const),
    ],
    'resets the stream': [
      (stream) => {
        accept(stream)
        stream.write(framed(set).subarray(0, 90), () => stream.close(2))
      },
      ...(['UNREACHABLE', 'images-lost'] as const),
    ],
    'accepts no more streams': [(stream) => stream.close(7), 'STARTING', 'images-starting'],
    'finds us too fast': [(stream) => stream.close(11), 'RATE_LIMITED', 'images-too-many'],
  }
  for (const [what, [behave, code, key, sets = 0]] of Object.entries(behaviours))
    it(`ends with ${code} if it ${what}`, async () => {
      const port = await serve(startRawServer(behave))
      const { items, error } = await allOf(links.images({ port }))
      should(error).have.properties({ code, key })
      items.length.should.equal(sets)
    })

  for (const [code, expected] of [
    [11, { code: 'RATE_LIMITED', key: 'images-too-many' }],
    [2, { code: 'UNREACHABLE', key: 'images-lost' }],
  ] as const)
    it(`ends with ${expected.code} if the connection is given up with code ${code}`, async () => {
      const port = await serve(
        startRawServer((stream, session) => {
          accept(stream)
          stream.write(framed(set), () => session.goaway(code))
        }),
      )
      const { items, error } = await allOf(links.images({ port }))
      should(error).have.properties(expected)
      items.length.should.equal(1)
    })

  it('ends if the connection is cut, and is opened again', async () => {
    let connections = 0
    const port = await serve(
      startRawServer((stream, session) => {
        accept(stream)
        if (++connections < 4) stream.write(framed(set).subarray(0, 40), () => session.destroy())
        else stream.write(framed(set))
      }),
    )
    ;(await failureOf(links.images({ port }).next())).should.have.properties({
      ...{ code: 'UNREACHABLE', key: 'images-lost' },
    })
    ;(await nextOf(links.images({ port, reconnects: true }))).connection.should.equal(3)
  })

  it('opens a stream again after each kind of failure', async () => {
    const all = Object.values(behaviours).filter(([, , , sets]) => !sets)
    let calls = 0
    const port = await serve(startRawServer((stream) => (all[calls++]?.[0] ?? send(framed(set)))(stream)))
    ;(await nextOf(links.images({ port, reconnects: true }))).connection.should.equal(all.length + 1)
  })

  it('is read however it is cut into pieces', async () => {
    const bytes = Buffer.concat([framed(set), framed(set), framed(setBytes({ number: 2, depth: false }))])
    for (const size of [1, 3, 7, 64, 1000]) {
      const port = await serve(
        startRawServer((stream) => {
          accept(stream)
          for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size))
          finish(stream, '0')
        }),
      )
      const { items, error } = await allOf(links.images({ port }))
      should(error?.key).equal('images-ended')
      items.map(({ disparity }) => Boolean(disparity)).should.eql([true, true, false])
    }
  })

  it('is held up while the consumer is busy, so that memory stays bounded', async () => {
    const large = framed(setBytes({ width: 1024, height: 768 }))
    const [count, most] = [40, 4]
    let sent = 0
    const port = await serve(
      startRawServer((stream) => {
        accept(stream)
        const more = () => {
          for (let free = true; free && sent < count; sent++) free = stream.write(large)
          if (sent < count) stream.once('drain', more)
        }
        more()
      }),
    )
    const link = links.images({ port })
    for (let taken = 1; taken <= count; taken++) {
      await nextOf(link)
      // One that waits, one that is received, and what is on the way.
      ;(sent - taken).should.be.belowOrEqual(most)
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
    }
  })

  it('is told from a port where nothing listens, hangs or speaks another language', async () => {
    const closed = await startTcpServer(() => undefined)
    await closed.stop()
    const nothing = await failureOf(links.images({ port: closed.port }).next())
    nothing.should.have.properties({ code: 'UNREACHABLE', key: 'images-unreachable' })
    should(nothing.cause?.reason).equal('ECONNREFUSED')

    const silent = await serve(startTcpServer(() => undefined))
    const waited = await failureOf(links.images({ port: silent, connectDeadline: 100 }).next())
    waited.should.have.properties({ code: 'UNREACHABLE', key: 'images-connect-deadline' })

    const web = await serve(
      startTcpServer((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')),
      ),
    )
    ;(await failureOf(links.images({ port: web }).next())).should.have.properties({
      ...{ code: 'BAD_REPLY', key: 'images-not-grpc' },
    })

    const leaving = await serve(startTcpServer((socket) => socket.end()))
    ;(await failureOf(links.images({ port: leaving }).next())).should.have.properties({
      ...{ code: 'UNREACHABLE', key: 'images-lost' },
    })
    const resetting = await serve(startTcpServer((socket) => socket.resetAndDestroy()))
    // The reset may come before the connection is known here.
    ;(await failureOf(links.images({ port: resetting }).next())).code.should.equal('UNREACHABLE')
  })

  it('leaves no connection behind when it is closed, however far it came', async () => {
    const sockets: Promise<unknown>[] = []
    const silent = await serve(
      startTcpServer((socket) => {
        sockets.push(new Promise((resolve) => socket.once('close', resolve)))
        // Only who reads sees the end.
        socket.resume()
      }),
    )
    const early = links.images({ port: silent })
    await early.close()
    const later = links.images({ port: silent, reconnects: true })
    const opening = failureOf(later.opened())
    await eventually(() => sockets.length.should.be.above(0))
    await later.close()
    ;(await opening).key.should.equal('images-closed')
    await Promise.all(sockets)
  })
})
