import type { Socket } from 'node:net'
import should from 'should'
import { eventually } from '../support/eventually'
import { setBytes } from './messages'
import { field, frame } from './support/http2-frames'
import { accept, finish, framed, startRawServer, startTcpServer, type RawServer } from './raw-server'
import { allOf, failureOf, nextOf, useLinks } from './use-links'

const nothing = Buffer.alloc(0)
const settings = frame(4, 0, 0, nothing)
/** `:status: 200` is entry 8 of the table of HPACK. */
const answer = frame(1, 4, 1, Buffer.concat([Buffer.from([0x88]), field('content-type', 'application/grpc')]))
const trailers = (status: string) => frame(1, 5, 1, field('grpc-status', status))
const set = framed(setBytes())

describe('an image stream, frame by frame', () => {
  const links = useLinks()
  const servers: RawServer[] = []
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())))

  /** Answers the first bytes of a client. */
  const serve = async (begin: (socket: Socket) => void) => {
    const server = await startTcpServer((socket) =>
      socket.once('data', () => {
        socket.resume()
        begin(socket)
      }),
    )
    servers.push(server)
    return server.port
  }

  it('arrives although everything comes at once, with padding and other frames between', async () => {
    const data = (payload: Buffer) => frame(0, 0, 1, payload)
    const filled = Buffer.concat([Buffer.from([3]), set.subarray(20, 40), Buffer.alloc(3)])
    const port = await serve((socket) =>
      socket.write(
        Buffer.concat([
          ...[settings, answer, data(set.subarray(0, 20)), frame(6, 0, 0, Buffer.alloc(8))],
          ...[frame(0, 8, 1, filled), data(nothing), data(set.subarray(40)), trailers('0')],
        ]),
      ),
    )
    const { items, error } = await allOf(links.images({ port }))
    items.length.should.equal(1)
    should(error).have.properties({ key: 'images-ended' })
  })

  it('may end with a frame of content', async () => {
    const port = await serve((socket) => socket.write(Buffer.concat([settings, answer, frame(0, 1, 1, set)])))
    const { items, error } = await allOf(links.images({ port }))
    items.length.should.equal(1)
    should(error).have.properties({ code: 'BAD_REPLY', key: 'images-status' })
  })

  const wrong: Record<string, Buffer> = {
    'more padding than content': frame(0, 8, 1, Buffer.from([200, 1, 2])),
    'a frame that is too long': frame(0, 0, 1, Buffer.alloc(20_000)),
    'a stream that nobody opened': frame(0, 0, 7, set),
    'content before the answer': Buffer.concat([frame(0, 0, 1, set), answer]),
  }
  for (const [what, bytes] of Object.entries(wrong))
    it(`ends if there is ${what}, without a set`, async () => {
      const isEarly = what.startsWith('content')
      const port = await serve((socket) =>
        socket.write(Buffer.concat([settings, ...(isEarly ? [] : [answer]), bytes, trailers('0')])),
      )
      const { items, error } = await allOf(links.images({ port }))
      should([items.length, error?.code, error?.key]).eql([0, 'UNREACHABLE', 'images-lost'])
    })

  it('ends if the device sends more than it was allowed to', async () => {
    const port = await serve((socket) => {
      const rest = frame(0, 0, 1, Buffer.alloc(16_000))
      socket.write(Buffer.concat([settings, answer, frame(0, 0, 1, set), frame(0, 0, 1, set)]))
      for (let sent = 0; sent < 200; sent++) socket.write(rest)
    })
    const link = links.images({ port })
    await nextOf(link)
    await eventually(() => link.isOpen.should.be.false())
    // What had come stays.
    await nextOf(link)
    ;(await failureOf(link.next())).code.should.equal('UNREACHABLE')
  })

  it('is told that it has ended after the sets that wait', async () => {
    const server = await startRawServer((stream) => {
      accept(stream)
      for (let number = 1; number <= 9; number++) stream.write(framed(setBytes({ number })))
      finish(stream, '14')
    })
    servers.push(server)
    const link = links.images({ port: server.port })
    for (let number = 1; number <= 9; number++) {
      should((await nextOf(link)).timestamp / 1_000_000_000n).equal(BigInt(1_700_000_000 + number))
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
    }
    ;(await failureOf(link.next())).should.have.properties({ code: 'STARTING', key: 'images-starting' })
  })
})
