import 'should'
import { json, silence } from '../support/misbehaving-server'
import { failureOf, fps, useServer, whichFps } from './use-server'

describe('taking turns', () => {
  const bench = useServer()

  it('limits the calls in flight, each on a connection of its own', async () => {
    bench.server.behave(silence)
    const client = bench.client({ concurrency: 3 })
    const calls = Array.from({ length: 6 }, () => failureOf(client.getParameter(whichFps)))
    await bench.server.arrived(3)
    bench.server.connections().should.equal(3)
    bench.server.received.should.have.length(3)
    await client.close()
    await Promise.all(calls)
  })

  it('refuses a call beyond the length of the queue', async () => {
    bench.server.behave(silence)
    const client = bench.client({ concurrency: 1, queue: 2 })
    const waiting = Array.from({ length: 3 }, () => failureOf(client.getParameter(whichFps)))
    const failure = await failureOf(client.getParameter(whichFps))
    failure.code.should.equal('BUSY')
    failure.message.should.containEql('2 calls are already waiting')
    await client.close()
    await Promise.all(waiting)
  })

  it('needs no queue while there are turns', async () => {
    bench.server.behave(json(fps()))
    for (const pace of [0, 1000])
      (await bench.client({ queue: 0, pace }).getParameter(whichFps)).should.eql(fps())
  })

  it('uses one connection for consecutive calls', async () => {
    bench.server.behave(json(fps()))
    const before = bench.server.connections()
    const client = bench.client()
    for (let call = 0; call < 10; call++) await client.getParameter(whichFps)
    ;(bench.server.connections() - before).should.equal(1)
  })

  it('keeps the pace', async () => {
    bench.server.behave(json(fps()))
    const client = bench.client({ pace: 50 })
    const started = performance.now()
    await Promise.all(Array.from({ length: 11 }, () => client.getParameter(whichFps)))
    ;(performance.now() - started).should.be.aboveOrEqual(195)
  })
})
