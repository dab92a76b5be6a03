import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import should from 'should'
import { grpcServer, type GrpcServer, type GrpcCall } from '../../../virtual-device/images/grpc'
import * as h2 from '../../images/support/http2-frames'
import { heldAfterCollection } from '../../support/collect-garbage'
import { eventually } from '../../support/eventually'

const nothing = Buffer.from([0, 0, 0, 0, 0])

describe('the gRPC server of the virtual device', () => {
  let server: GrpcServer
  let calls: GrpcCall[]
  beforeEach(async () => {
    calls = []
    server = await grpcServer(
      { '/Service/Method': (call) => calls.push(call) },
      { host: '127.0.0.1', port: 0, requestWithin: 50 },
    )
  })
  afterEach(() => server.close())

  it('keeps one message for a client that allows everything and reads nothing', async () => {
    const socket = connect({ host: '127.0.0.1', port: server.port })
    const window = h2.word(2 ** 31 - 1)
    const largest = h2.frame(h2.settingsFrame, 0, 0, Buffer.concat([Buffer.from([0, 4]), window]))
    const fields = [
      ...[h2.field(':method', 'POST'), h2.field(':scheme', 'http'), h2.field(':authority', 'device')],
      h2.field(':path', '/Service/Method'),
    ]
    socket.write(
      Buffer.concat([
        h2.preface,
        largest,
        h2.frame(h2.windowFrame, 0, 0, h2.word(2 ** 31 - 1 - 65_535)),
        h2.frame(h2.headersFrame, h2.endHeaders, 1, Buffer.concat(fields)),
        h2.frame(h2.dataFrame, h2.endStream, 1, nothing),
      ]),
    )
    // Nobody reads what comes.
    socket.pause()
    await eventually(() => calls.length.should.equal(1))
    const megabyte = Buffer.alloc(1 << 20)
    let written = 0
    for (let sent = 0; sent < 300; sent++) {
      calls[0]?.send(() => (written++, [megabyte]))
      for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate)
    }
    // What the buffers of the system take, and one that is on its way.
    written.should.be.within(1, 20)
    socket.destroy()
  })

  it('keeps nothing of cancelled calls, and little of many that are not read', async () => {
    const megabytes = 4
    const session = connectHttp2(`http://127.0.0.1:${server.port}`)
    const started = async () => {
      const stream = session.request({ ':method': 'POST', ':path': '/Service/Method' })
      stream.on('error', () => undefined).end(nothing)
      const before = calls.length
      await eventually(() => calls.length.should.equal(before + 1))
      return { stream, call: calls[before] }
    }
    const sent: WeakRef<Buffer>[] = []
    const message = () => {
      const buffer = Buffer.alloc(megabytes << 20, 1)
      sent.push(new WeakRef(buffer))
      return [buffer]
    }
    for (let count = 0; count < 30; count++) {
      const { stream, call } = await started()
      call?.send(message)
      call?.send(message)
      await once(stream, 'response')
      stream.close(8)
      await once(stream, 'close')
    }
    calls.splice(0)
    const kept = () => sent.filter((each) => each.deref()).length
    await eventually(async () => {
      await heldAfterCollection()
      kept().should.be.belowOrEqual(2)
    })

    const unread = []
    sent.splice(0)
    for (let count = 0; count < 20; count++) {
      const { stream, call } = await started()
      call?.send(message)
      unread.push(stream)
    }
    sent.length.should.be.belowOrEqual(32 / megabytes + 1)
    // Each gets its message as soon as there is room for it.
    for (const stream of unread) stream.resume()
    await eventually(() => sent.length.should.equal(20))
    session.destroy()
  }).timeout(60_000)

  it('tells that a client has not read its last message, so that none is drawn for it meanwhile', async () => {
    const session = connectHttp2(`http://127.0.0.1:${server.port}`)
    const stream = session.request({ ':method': 'POST', ':path': '/Service/Method' })
    stream.end(nothing)
    await eventually(() => calls.length.should.equal(1))
    const [call] = calls
    should(call?.isBehind).be.false()
    call?.send(() => [Buffer.alloc(1 << 20)])
    should(call?.isBehind).be.true()
    await once(stream, 'response')
    should(call?.isBehind).be.true()
    stream.resume()
    await eventually(() => should(call?.isBehind).be.false())
    session.destroy()
  })

  it('ends a call whose request does not come', async () => {
    const session = connectHttp2(`http://127.0.0.1:${server.port}`)
    const stream = session.request({ ':method': 'POST', ':path': '/Service/Method' })
    stream.write(nothing.subarray(0, 2))
    const [answer] = (await once(stream, 'response')) as [Record<string, unknown>]
    should(answer).containEql({ 'grpc-status': '4' })
    should(calls).be.empty()
    session.destroy()
  })

  it('allows a hundred calls on a connection', async () => {
    const session = connectHttp2(`http://127.0.0.1:${server.port}`)
    const [{ maxConcurrentStreams }] = (await once(session, 'remoteSettings')) as [
      { maxConcurrentStreams?: number },
    ]
    should(maxConcurrentStreams).equal(100)
    session.destroy()
  })
})
