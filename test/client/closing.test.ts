import 'should'
import { json, reply, silence } from '../support/misbehaving-server'
import { callService, failureOf, fps, useServer, whichFps } from './use-server'

describe('closing a client', () => {
  const bench = useServer()

  it('ends every call at any stage, and every connection', async () => {
    bench.server.behave(silence)
    const client = bench.client({ concurrency: 2 })
    const calls = [
      ...Array.from({ length: 5 }, () => failureOf(client.getParameter(whichFps))),
      failureOf(client.uploadLicense({ file: __filename })),
    ]
    await bench.server.arrived(2)
    await client.close()
    for (const { code } of await Promise.all(calls)) code.should.equal('ABORTED')
    await bench.server.deserted()
    bench.server.received.should.have.length(2)
  })

  it('leaves no idle connection', async () => {
    bench.server.behave(json(fps()))
    const client = bench.client()
    await Promise.all(Array.from({ length: 10 }, () => client.getParameter(whichFps)))
    bench.server.open().should.equal(4)
    await client.close()
    await bench.server.deserted()
  })

  it('leaves nothing behind, a hundred times', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length
    const before = sockets()
    for (let round = 0; round < 100; round++) {
      bench.server.behave(json(fps()), reply(503), silence)
      const client = bench.client({ deadline: 10_000 })
      await client.getParameter(whichFps)
      const left = [failureOf(client.getParameter(whichFps)), failureOf(callService(client))]
      await client.close()
      await Promise.all(left)
    }
    await bench.server.deserted()
    sockets().should.be.belowOrEqual(before)
  })

  it('makes further calls fail, and can be repeated', async () => {
    const client = bench.client()
    await Promise.all([client.close(), client.close()])
    const { code, message } = await failureOf(client.getSystem())
    code.should.equal('ABORTED')
    message.should.containEql('was closed')
    bench.server.received.should.be.empty()
  })
})
