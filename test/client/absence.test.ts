import should from 'should'
import { Absence, type AbsenceWaiter } from '../../lib/client/create-client'
import { absenceIn } from '../../lib/client/call'
import { startVirtualDevice } from '../../virtual-device'
import { closedAddress, json, reply, silence } from '../support/misbehaving-server'
import { sampleResult } from './samples'
import { callService, endsWithin, failureOf, fps, useServer, whichFps } from './use-server'

const resetDefaults = { pipeline: '0', node: 'dev_camera', service: 'reset_defaults' }

describe('a device that takes no requests', () => {
  const bench = useServer()
  const long = { deadline: 60_000 }

  it('and refuses connections is waited for; each call is then executed once', async () => {
    const address = await closedAddress()
    let missed = 0
    const client = bench.client({ address, retries: 1, random: Math.random, onAway: () => missed++, ...long })
    const calls = [
      client.getParameter(whichFps),
      client.setParameter({ ...whichFps, value: 10 }),
      client.callService(resetDefaults),
      client.getSystem(),
    ]
    while (missed === 0) await new Promise(setImmediate)
    const device = await startVirtualDevice({ port: Number(new URL(address).port) })
    try {
      await Promise.all(calls)
      const operations = device.calls().map(({ operation }) => operation)
      // Before the service and the write, the device is asked whether it is starting.
      operations
        .sort()
        .should.eql(['callService', 'getParameter', 'getSystem', 'getSystem', 'getSystem', 'setParameter'])
      missed.should.equal(1)
    } finally {
      await client.close()
      await device.stop()
    }
  })

  it('and refuses connections until the deadline is unreachable then', async () => {
    const client = bench.client({ address: await closedAddress(), deadline: 150 })
    const started = performance.now()
    for (const call of [client.getParameter(whichFps), callService(client)])
      (await failureOf(call)).should.match({ code: 'UNREACHABLE', cause: { reason: 'ECONNREFUSED' } })
    ;(performance.now() - started).should.be.aboveOrEqual(150)
  })

  it('and is starting is waited for, longer than the allowed repetitions take', async () => {
    bench.server.behave(reply(502), reply(502), reply(503), reply(502), reply(503), json(fps()))
    should(await bench.client({ retries: 1, ...long }).getParameter(whichFps)).eql(fps())
    bench.server.received.should.have.length(6)
  })

  it('and is starting at the deadline is reported so, even if its last answer is missing', async () => {
    bench.server.behave(reply(503), reply(503), silence)
    const client = bench.client({ deadline: 300 })
    ;(await failureOf(client.getParameter(whichFps))).code.should.equal('STARTING')
    bench.server.received.should.have.length(3)
  })

  it('and is starting ends the wait at once with an abort', async () => {
    bench.server.behave(reply(503))
    const ending = new AbortController()
    const client = bench.client({ random: () => 0.99, ...long })
    const call = failureOf(client.getParameter(whichFps, { signal: ending.signal }))
    await bench.server.arrived(2)
    ending.abort()
    ;(await endsWithin(1000, call)).should.be.true()
    ;(await call).code.should.equal('ABORTED')
  })

  it('gets few requests from many calls that wait, and all continue with its first answer', async () => {
    bench.server.behave(reply(503))
    const client = bench.client({ concurrency: 50, random: () => 0.99, ...long })
    const calls = Array.from({ length: 50 }, () => client.getParameter(whichFps))
    await bench.server.arrived(52)
    bench.server.behave(json(fps()))
    await Promise.all(calls)
    // Each call twice, and a few attempts between.
    bench.server.received.length.should.be.below(110)
  })

  it('is not waited for by a client that repeats nothing', async () => {
    bench.server.behave(reply(503))
    const { code } = await failureOf(bench.client({ retries: 0, ...long }).getParameter(whichFps))
    code.should.equal('STARTING')
    bench.server.received.should.have.length(1)
  })

  it('is queried before a service is sent if somebody else has seen it starting', async () => {
    const system = json(sampleResult('getSystem'))
    bench.server.behave(reply(502), reply(502), system, json(sampleResult('callService')))
    await callService(bench.client({ retries: 1, mayBeStarting: () => true, ...long }))
    bench.server.received.map(({ method }) => method).should.eql(['GET', 'GET', 'GET', 'PUT'])
  })

  it('is not waited for if its host name cannot be resolved, or if its certificate is rejected', () => {
    const failure = { code: 'UNREACHABLE', key: 'unreachable' } as const
    should(absenceIn({ ...failure, cause: { reason: 'EHOSTUNREACH' } })).equal('UNREACHABLE')
    should(absenceIn({ ...failure, cause: { reason: 'EAI_AGAIN' } })).equal('UNREACHABLE')
    should(absenceIn({ ...failure, cause: { reason: 'ENOTFOUND' } })).be.undefined()
    should(absenceIn({ ...failure, final: true })).be.undefined()
    should(absenceIn({ ...failure, uncertain: 'unanswered' })).be.undefined()
  })
})

describe('the wait for a device', () => {
  let now: number
  let missed: number
  let absence: Absence
  const call: AbsenceWaiter = { tryAgain: () => undefined }
  const waits = (reason: 'UNREACHABLE' | 'STARTING' = 'UNREACHABLE') => {
    const accepted = absence.wait(call, reason, 0)
    absence.withdraw(call)
    return accepted
  }

  beforeEach(() => {
    now = 0
    missed = 0
    absence = new Absence(
      () => 0,
      () => now,
      () => missed++,
    )
  })

  it('is given up if the device has been away for more than a minute', () => {
    for (now = 0; now <= 60_000; now += 10_000) waits().should.be.true()
    waits().should.be.false()
    missed.should.equal(1)
  })

  it('begins again when the device has answered, when it is starting, and when it was not missed for a minute', () => {
    for (now = 0; now <= 70_000; now += 10_000) waits()
    waits().should.be.false()
    waits('STARTING').should.be.true()
    absence.over()
    waits().should.be.true()
    const end = now + 70_000
    for (; now < end; now += 10_000) waits()
    waits().should.be.false()
    now += 60_001
    waits().should.be.true()
    missed.should.equal(4)
  })
})
