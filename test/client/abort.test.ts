import should from 'should'
import { json, reply, silence, startMuteServer } from '../support/misbehaving-server'
import { callService, endsWithin, failureOf, fps, stalls, useServer, whichFps } from './use-server'

describe('an abort', () => {
  const bench = useServer()

  for (const [what, behaviour] of Object.entries(stalls)) {
    it(`ends a call at once if the device ${what}`, async () => {
      bench.server.behave(behaviour)
      const controller = new AbortController()
      const call = failureOf(bench.client().getParameter(whichFps, { signal: controller.signal }))
      await bench.server.arrived(1)
      controller.abort()
      ;(await endsWithin(50, call)).should.be.true()
      ;(await call).code.should.equal('ABORTED')
      await bench.server.deserted()
    })
  }

  it('before the call sends nothing', async () => {
    ;(
      await failureOf(bench.client().getParameter(whichFps, { signal: AbortSignal.abort() }))
    ).code.should.equal('ABORTED')
    bench.server.received.should.be.empty()
  })

  it('ends a call that waits for its turn, and the next one moves up', async () => {
    bench.server.behave(silence, json(fps()))
    const client = bench.client({ concurrency: 1 })
    const controllers = [new AbortController(), new AbortController()] as const
    const [first, second] = controllers.map(({ signal }) =>
      failureOf(client.getParameter(whichFps, { signal })),
    )
    const third = client.getParameter(whichFps)
    await bench.server.arrived(1)
    controllers[1].abort()
    should((await second)?.code).equal('ABORTED')
    bench.server.received.should.have.length(1)
    controllers[0].abort()
    should((await first)?.code).equal('ABORTED')
    ;(await third).should.eql(fps())
    bench.server.received.should.have.length(2)
  })

  it('ends a call that waits for the pace', async () => {
    bench.server.behave(json(fps()))
    const client = bench.client({ pace: 0.01 })
    await client.getParameter(whichFps)
    const controller = new AbortController()
    const call = failureOf(client.getParameter(whichFps, { signal: controller.signal }))
    controller.abort()
    ;(await call).code.should.equal('ABORTED')
  })

  it('ends a call that waits for its repetition', async () => {
    bench.server.behave(reply(429, '', { 'retry-after': '4' }), json(fps()))
    const controller = new AbortController()
    const client = bench.client({ concurrency: 1 })
    const call = failureOf(client.getParameter(whichFps, { signal: controller.signal }))
    // Its turn comes only while the first one waits.
    await client.getParameter(whichFps)
    controller.abort()
    ;(await endsWithin(50, call)).should.be.true()
    ;(await call).code.should.equal('ABORTED')
    bench.server.received.should.have.length(2)
  })

  it('ends a call that is connecting, and the connection', async () => {
    const mute = await startMuteServer()
    const controller = new AbortController()
    const call = failureOf(
      bench.client({ address: mute.url }).getParameter(whichFps, { signal: controller.signal }),
    )
    await mute.connected()
    controller.abort()
    ;(await call).code.should.equal('ABORTED')
    await mute.deserted()
    await mute.stop()
  })

  it('of a sent write reports that it may have taken effect', async () => {
    bench.server.behave(silence)
    const controller = new AbortController()
    const call = failureOf(callService(bench.client(), { signal: controller.signal }))
    await bench.server.arrived(1)
    controller.abort()
    const { code, message } = await call
    code.should.equal('ABORTED')
    message.should.containEql('may or may not have taken effect')
  })

  it('by one signal ends all its calls, does not affect others and leaves no listener', async () => {
    bench.server.behave(silence)
    const warnings: Error[] = []
    const warned = (warning: Error) => warnings.push(warning)
    process.on('warning', warned)
    const controller = new AbortController()
    const { signal } = controller
    const client = bench.client({ concurrency: 30 })
    const calls = Array.from({ length: 20 }, () => failureOf(client.getParameter(whichFps, { signal })))
    await bench.server.arrived(20)
    bench.server.behave(json(fps()))
    await client.getParameter(whichFps, { signal })
    const other = failureOf(callService(client, { deadline: 60_000 }))
    controller.abort()
    for (const { code } of await Promise.all(calls)) code.should.equal('ABORTED')
    await client.close()
    ;(await other).should.be.an.Error()
    process.off('warning', warned)
    warnings.should.be.empty()
  })
})
