import should from 'should'
import { eventually } from '../support/eventually'
import { reply, silence, startMuteServer } from '../support/misbehaving-server'
import { callService, endsWithin, failureOf, stalls, useServer, whichFps } from './use-server'

const setFps = { ...whichFps, value: 10 }

describe('the deadline of a call', () => {
  const bench = useServer()

  for (const [what, behaviour] of Object.entries(stalls)) {
    it(`ends it within 100 ms if the device ${what}`, async () => {
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

  it('says how long the last late answer took, if that is more than it allows', async () => {
    let send = (): void => undefined
    bench.server.behave((response) => {
      send = () => void response.end('{}')
    })
    const client = bench.client({ deadline: 150 })
    const first = await failureOf(client.getParameter(whichFps))
    should(first).match({ key: 'timeout' })
    const since = performance.now()
    send()
    await bench.server.deserted()
    bench.server.behave(silence)
    const failures = [
      await failureOf(client.getParameter(whichFps)),
      await failureOf(client.setParameter(setFps)),
    ]
    const took = /(?:its|the) last late answer took (\d+) ms/
    for (const { message } of failures) {
      const late = Number(took.exec(message)?.[1])
      late.should.be.within(150, 150 + performance.now() - since + 100)
    }
    should(failures.map(({ code }) => code)).eql(['TIMEOUT', 'OUTCOME_UNKNOWN'])
    const patient = await failureOf(client.getParameter(whichFps, { deadline: 2000 }))
    patient.message.should.not.match(took)
  })

  it('awaits late answers one at a time, and none while the next call needs its connection, or after the end', async () => {
    bench.server.behave(silence)
    const client = bench.client({ deadline: 100 })
    await Promise.all([1, 2, 3].map(() => failureOf(client.getParameter(whichFps))))
    await eventually(() => bench.server.open().should.be.belowOrEqual(1))
    await client.close()
    await bench.server.deserted()
    const single = bench.client({ deadline: 500, concurrency: 1 })
    for (let call = 0; call < 3; call++) {
      await failureOf(single.getParameter(whichFps))
      bench.server.open().should.be.belowOrEqual(2)
      await eventually(() => bench.server.open().should.be.belowOrEqual(1))
    }
    await single.close()
    await bench.server.deserted()
  })

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
    await bench.server.arrived(4)
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

  it('includes the wait for a turn, and nothing was then sent', async () => {
    bench.server.behave(silence)
    const client = bench.client({ concurrency: 1, deadline: 1000 })
    const first = failureOf(client.getParameter(whichFps))
    const second = await failureOf(callService(client, { deadline: 100 }))
    second.code.should.equal('TIMEOUT')
    second.message.should.containEql('nothing was sent')
    bench.server.received.length.should.equal(1)
    await client.close()
    await first
  })

  it("includes all repetitions, and ends with the device's last answer", async () => {
    bench.server.behave(reply(503))
    const client = bench.client({ deadline: 300, random: () => 0.99, retries: 10 })
    const call = failureOf(client.getParameter(whichFps))
    ;(await endsWithin(400, call)).should.be.true()
    ;(await call).code.should.equal('STARTING')
  })

  it('for connecting ends a connection that cannot be established', async () => {
    const mute = await startMuteServer()
    // The connection is open, but the TLS handshake is never answered.
    const client = bench.client({ address: mute.url, connectDeadline: 100, retries: 1 })
    const failure = await failureOf(callService(client, { waitForDevice: false }))
    failure.code.should.equal('UNREACHABLE')
    failure.message.should.containEql('did not accept a connection within 100 ms')
    mute.connections().should.equal(2)
    await mute.deserted()
    await mute.stop()
  })

  it('of the call may expire first while it connects', async () => {
    const mute = await startMuteServer()
    const failure = await failureOf(callService(bench.client({ address: mute.url, deadline: 100 })))
    failure.code.should.equal('UNREACHABLE')
    await mute.deserted()
    await mute.stop()
  })
})
