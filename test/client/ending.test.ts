import should from 'should'
import type { Client } from '../../lib'
import {
  json,
  reply,
  silence,
  slowly,
  startMuteServer,
  stallInBody,
  stallInHeaders,
  type Behaviour,
} from '../support/misbehaving-server'
import { endsWithin, failureOf, fps, useServer, whichFps } from './use-server'

const callService = (client: Client, options = {}) =>
  client.callService({ pipeline: '0', node: 'n', service: 's' }, options)
const setFps = { ...whichFps, value: 10 }
const stalls: Record<string, Behaviour> = {
  'never answers': silence,
  'stalls in its headers': stallInHeaders,
  'stalls in its body': stallInBody,
  'sends too slowly': slowly(' '.repeat(1_000_000)),
}

describe('the deadline of a call', () => {
  const bench = useServer()

  for (const [what, behaviour] of Object.entries(stalls)) {
    it(`ends it within 100 ms where the device ${what}`, async () => {
      bench.server.behave(behaviour)
      const started = performance.now()
      const call = failureOf(bench.client({ deadline: 150 }).getParameter(whichFps))
      ;(await endsWithin(250, call)).should.be.true()
      ;(performance.now() - started).should.be.aboveOrEqual(150)
      const failure = await call
      failure.code.should.equal('TIMEOUT')
      failure.message.should.containEql('within 150 ms')
      await bench.server.deserted()
    })
  }

  it('leaves the outcome of a write unknown', async () => {
    bench.server.behave(silence)
    const client = bench.client({ deadline: 100 })
    const failures = await Promise.all([
      failureOf(callService(client)),
      failureOf(client.setParameter(setFps)),
      failureOf(client.reboot()),
      failureOf(client.uploadLicense({ file: Buffer.from('x') }, { deadline: 100 })),
    ])
    for (const failure of failures) {
      failure.code.should.equal('OUTCOME_UNKNOWN')
      failure.message.should.containEql('no answer within 100 ms')
    }
    bench.server.received.should.have.length(4)
  })

  it('can be set for one call', async () => {
    bench.server.behave(silence)
    const { code } = await failureOf(bench.client().getParameter(whichFps, { deadline: 50 }))
    code.should.equal('TIMEOUT')
    for (const deadline of [0, NaN, Infinity])
      (await failureOf(bench.client().getParameter(whichFps, { deadline }))).code.should.equal(
        'INVALID_INPUT',
      )
  })

  it('covers the wait for a turn, and then nothing was sent', async () => {
    bench.server.behave(silence)
    const client = bench.client({ concurrency: 1, deadline: 1000 })
    const first = failureOf(client.getParameter(whichFps))
    const second = await failureOf(callService(client, { deadline: 100 }))
    second.code.should.equal('TIMEOUT')
    second.message.should.containEql('was not sent')
    bench.server.received.length.should.equal(1)
    await client.close()
    await first
  })

  it('covers all repetitions, and ends with what the device said', async () => {
    bench.server.behave(reply(503))
    const client = bench.client({ deadline: 300, random: () => 0.99, retries: 10 })
    const call = failureOf(client.getParameter(whichFps))
    ;(await endsWithin(400, call)).should.be.true()
    ;(await call).code.should.equal('STARTING')
  })

  it('for connecting ends a connection that does not come about', async () => {
    const mute = await startMuteServer()
    // The connection stands, but the TLS handshake is never answered.
    const client = bench.client({ address: mute.url, connectDeadline: 100, retries: 1 })
    const failure = await failureOf(callService(client))
    failure.code.should.equal('UNREACHABLE')
    failure.message.should.containEql('did not take a connection within 100 ms')
    mute.connections().should.equal(2)
    await mute.deserted()
    await mute.stop()
  })

  it('of the call may end first while it connects', async () => {
    const mute = await startMuteServer()
    const failure = await failureOf(callService(bench.client({ address: mute.url, deadline: 100 })))
    failure.code.should.equal('UNREACHABLE')
    await mute.deserted()
    await mute.stop()
  })
})

describe('an abort', () => {
  const bench = useServer()

  for (const [what, behaviour] of Object.entries(stalls)) {
    it(`ends a call at once where the device ${what}`, async () => {
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

  it('ends a call that waits to be repeated', async () => {
    bench.server.behave(reply(429, '', { 'retry-after': '4' }))
    const controller = new AbortController()
    const call = failureOf(bench.client().getParameter(whichFps, { signal: controller.signal }))
    await bench.server.arrived(1)
    // The answer is on its way; whichever comes first, the call ends now and is not sent again.
    setImmediate(() => controller.abort())
    ;(await call).code.should.equal('ABORTED')
    bench.server.received.should.have.length(1)
  })

  it('ends a call that is being connected, and the connection', async () => {
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

  it('of a write that was sent says that it may have taken effect', async () => {
    bench.server.behave(silence)
    const controller = new AbortController()
    const call = failureOf(callService(bench.client(), { signal: controller.signal }))
    await bench.server.arrived(1)
    controller.abort()
    const { code, message } = await call
    code.should.equal('ABORTED')
    message.should.containEql('may or may not have taken effect')
  })

  it('by one signal ends all its calls, leaves the others alone and no listener behind', async () => {
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

describe('closing a client', () => {
  const bench = useServer()

  it('ends every call, wherever it is, and every connection', async () => {
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

  it('makes further calls fail, and can be done twice', async () => {
    const client = bench.client()
    await Promise.all([client.close(), client.close()])
    const { code, message } = await failureOf(client.getSystem())
    code.should.equal('ABORTED')
    message.should.containEql('was closed')
    bench.server.received.should.be.empty()
  })
})

describe('taking turns', () => {
  const bench = useServer()

  it('keeps to the number of calls in flight, over as many connections', async () => {
    bench.server.behave(silence)
    const client = bench.client({ concurrency: 3 })
    const calls = Array.from({ length: 6 }, () => failureOf(client.getParameter(whichFps)))
    await bench.server.arrived(3)
    bench.server.connections().should.equal(3)
    bench.server.received.should.have.length(3)
    await client.close()
    await Promise.all(calls)
  })

  it('refuses one call more than may wait', async () => {
    bench.server.behave(silence)
    const client = bench.client({ concurrency: 1, queue: 2 })
    const waiting = Array.from({ length: 3 }, () => failureOf(client.getParameter(whichFps)))
    const failure = await failureOf(client.getParameter(whichFps))
    failure.code.should.equal('BUSY')
    failure.message.should.containEql('2 calls are waiting')
    await client.close()
    await Promise.all(waiting)
  })

  it('needs no queue while there are turns', async () => {
    bench.server.behave(json(fps()))
    for (const pace of [0, 1000])
      (await bench.client({ queue: 0, pace }).getParameter(whichFps)).should.eql(fps())
  })

  it('uses one connection for one call after the other', async () => {
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
