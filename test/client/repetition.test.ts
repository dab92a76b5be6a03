import should from 'should'
import type { VisionError } from '../../lib'
import { operation, operationIds, type OperationId } from '../../lib/contract'
import { planOf } from '../../lib/client/request'
import {
  closedAddress,
  endInBody,
  hangUp,
  json,
  reply,
  reset,
  type Behaviour,
} from '../support/misbehaving-server'
import { sampleInput, sampleResult } from './samples'
import { endsWithin, failureOf, fps, useServer, whichFps } from './use-server'

const of = (kind: string) => operationIds.filter((id) => planOf(id).repeat === kind)
const losses: Record<string, Behaviour> = {
  reset,
  'ended without an answer': hangUp,
  'ended in the body': endInBody,
}
const unwaiting = { waitForDevice: false }
const setFps = { ...whichFps, value: 10 }
const starting = { message: 'starting', return_code: { value: -8, message: 'starting' } }

describe('repeating', () => {
  const bench = useServer()
  const good = (id: OperationId) => json(sampleResult(id))

  it('treats every GET as a read, and parameter writes as verifiable by one', () => {
    of('read').should.eql(operationIds.filter((id) => operation(id).method === 'GET'))
    of('settled').should.eql(['setParameters', 'setParameter'])
  })

  for (const id of of('read')) {
    it(`repeats ${id} after a lost connection, a starting device and a busy one`, async () => {
      const client = bench.client({ retries: 5 })
      bench.server.behave(reset, hangUp, reply(502), reply(503), reply(429), good(id))
      should(await client.request(id, sampleInput(id))).eql(sampleResult(id))
      bench.server.received.should.have.length(6)
    })
  }

  for (const id of of('once')) {
    it(`sends ${id} once if its answer is lost, and reports that the outcome is unknown`, async () => {
      for (const [, loss] of Object.entries(losses)) {
        bench.server.received.length = 0
        bench.server.behave(loss, good(id))
        const failure = await failureOf(bench.client().request(id, sampleInput(id)))
        failure.code.should.equal('OUTCOME_UNKNOWN')
        failure.message.should.containEql('may or may not have taken effect')
        bench.server.received.should.have.length(1)
      }
    })

    it(`sends ${id} once to a device that reports itself that it is starting`, async () => {
      bench.server.behave(json(starting, 502), good(id))
      ;(await failureOf(bench.client().request(id, sampleInput(id)))).code.should.equal('STARTING')
      bench.server.received.should.have.length(1)
    })

    it(`repeats ${id} after 429, and if not a byte was sent`, async () => {
      bench.server.behave(reply(429), good(id))
      should(await bench.client().request(id, sampleInput(id))).eql(sampleResult(id))
      bench.server.received.should.have.length(2)
    })
  }

  it('gives up on a device that refuses connections after the allowed repetitions, if told not to wait', async () => {
    const address = await closedAddress()
    for (const id of ['getParameter', 'setParameter', 'callService', 'uploadLicense'] as const) {
      const failure = await failureOf(bench.client({ address }).request(id, sampleInput(id), unwaiting))
      failure.code.should.equal('UNREACHABLE')
      should(failure.cause).containEql({ reason: 'ECONNREFUSED' })
    }
  })

  it('does not repeat if repeating cannot help', async () => {
    for (const status of [400, 401, 403, 404, 413, 500]) {
      bench.server.received.length = 0
      bench.server.behave(reply(status))
      await failureOf(bench.client().getParameter(whichFps))
      bench.server.received.should.have.length(1)
    }
  })

  it('stops at the number of repetitions', async () => {
    bench.server.behave(reply(503))
    ;(await failureOf(bench.client({ retries: 2 }).getParameter(whichFps, unwaiting))).code.should.equal(
      'STARTING',
    )
    bench.server.received.should.have.length(3)
  })

  it('makes few repetitions for many calls to a faulty device', async () => {
    bench.server.behave(reply(503))
    const client = bench.client({ concurrency: 1 })
    const calls = Array.from({ length: 50 }, () => failureOf(client.getParameter(whichFps, unwaiting)))
    for (const { code } of await Promise.all(calls)) code.should.equal('STARTING')
    // Ten at once and two per second; 150 without the limit.
    bench.server.received.length.should.be.within(60, 70)
  })

  it('waits the full time that the device asks for', async () => {
    bench.server.behave(reply(429, '', { 'retry-after': '0.3' }), json(fps()))
    const started = performance.now()
    await bench.client().getParameter(whichFps)
    ;(performance.now() - started).should.be.aboveOrEqual(300)
  })

  for (const [form, value] of [
    ['seconds', () => '60'],
    ['a date', () => new Date(Date.now() + 60_000).toUTCString()],
  ] as const) {
    it(`fails at once if the device asks for longer than the call may take, in ${form}`, async () => {
      bench.server.behave(reply(429, '', { 'retry-after': value() }), json(fps()))
      const call = failureOf(bench.client().callService({ pipeline: '0', node: 'n', service: 's' }))
      ;(await endsWithin(1000, call)).should.be.true()
      const failure = await call
      failure.code.should.equal('RATE_LIMITED')
      should(failure.cause?.retryAfter).be.within(55, 60)
      failure.message.should.containEql(' s, longer than')
      bench.server.received.should.have.length(1)
    })
  }

  it('waits as long as a starting device asks, or fails at once', async () => {
    bench.server.behave(reply(503, '', { 'retry-after': '0.2' }), json(fps()))
    const started = performance.now()
    await bench.client().getParameter(whichFps)
    ;(performance.now() - started).should.be.aboveOrEqual(200)

    bench.server.behave(reply(503, '', { 'retry-after': '60' }), json(fps()))
    ;(await failureOf(bench.client().getParameter(whichFps))).code.should.equal('STARTING')
    bench.server.received.should.have.length(3)
  })

  it('lets other calls pass while one waits', async () => {
    bench.server.behave(reply(429, '', { 'retry-after': '0.3' }), json(fps(1)), json(fps(2)))
    const client = bench.client({ concurrency: 1 })
    const order: unknown[] = []
    const note = ({ value }: { value?: unknown }) => order.push(value)
    await Promise.all([client.getParameter(whichFps).then(note), client.getParameter(whichFps).then(note)])
    order.should.eql([1, 2])
  })

  describe('a parameter write', () => {
    const methods = () => bench.server.received.map(({ method }) => method)

    const writes = () => methods().filter((method) => method === 'PUT').length
    /** A client that need not wait long for requests that a gateway still holds. */
    const client = (options = {}) => bench.client({ lateArrival: 20, ...options })

    for (const [what, loss] of Object.entries({ ...losses, 'answered by a gateway': reply(502) })) {
      it(`that was ${what} is done if the device has the value, also after a late write must have arrived`, async () => {
        bench.server.behave(loss, json(fps(10)))
        ;(await client().setParameter(setFps)).should.eql(fps(10))
        methods().slice(0, 2).should.eql(['PUT', 'GET'])
        writes().should.equal(1)
      })

      it(`that was ${what} is done if it arrives late`, async () => {
        bench.server.behave(loss, json(fps(25)), json(fps(10)))
        ;(await client().setParameter(setFps)).should.eql(fps(10))
        methods().slice(0, 2).should.eql(['PUT', 'GET'])
        writes().should.equal(1)
      })

      it(`that was ${what} is repeated when it can no longer arrive`, async () => {
        bench.server.behave(loss, json(fps(25)), json(fps(25)), json(fps(10)))
        ;(await client().setParameter(setFps)).should.eql(fps(10))
        methods().should.eql(['PUT', 'GET', 'GET', 'PUT'])
      })

      it(`that was ${what} has an unknown outcome if somebody else writes too`, async () => {
        bench.server.behave(loss, json(fps(25)), json(fps(12)))
        ;(await failureOf(client().setParameter(setFps))).code.should.equal('OUTCOME_UNKNOWN')
        methods().should.eql(['PUT', 'GET', 'GET'])
      })
    }

    it('whose answer was lost has an unknown outcome at once if it could still arrive after the deadline', async () => {
      bench.server.behave(reset, json(fps(10)))
      const call = failureOf(client({ lateArrival: 60_000 }).setParameter(setFps))
      ;(await call).code.should.equal('OUTCOME_UNKNOWN')
      methods().should.eql(['PUT'])
    })

    it('of several parameters is read back by their names', async () => {
      const gain = { ...fps(3), name: 'gain' }
      const parameters = [
        { name: 'fps', value: 10 },
        { name: 'gain', value: 3 },
      ]
      const before = json([fps(25), gain])
      bench.server.behave(reset, before, before, reset, json([fps(10), gain]))
      const kept = await client().setParameters({ pipeline: '0', node: 'dev_camera', parameters })
      kept.should.eql([fps(10), gain])
      methods().slice(0, 5).should.eql(['PUT', 'GET', 'GET', 'PUT', 'GET'])
      should(bench.server.received[1]?.url).endWith('?name=fps&name=gain')
    })

    it('is not verified by a record with another name', async () => {
      const parameters = [{ name: 'fps', value: 10 }]
      const other = json([{ ...fps(10), name: 'other' }])
      bench.server.behave(reset, other, other, json([fps(10)]))
      await client().setParameters({ pipeline: '0', node: 'dev_camera', parameters })
      methods().should.eql(['PUT', 'GET', 'GET', 'PUT'])
    })

    it("compares numbers as numbers, in the parameter's precision", async () => {
      const single = { ...fps(Math.fround(0.1)), type: 'float32' }
      bench.server.behave(reset, json(single))
      await client().setParameter({ ...whichFps, value: 0.1 })
      writes().should.equal(1)

      bench.server.received.length = 0
      const other = json(fps(Math.fround(0.1)))
      bench.server.behave(reset, other, other, json(fps(0.1)))
      await client().setParameter({ ...whichFps, value: 0.1 })
      methods().should.eql(['PUT', 'GET', 'GET', 'PUT'])
    })

    it('compares lists of whole numbers of any size', async () => {
      const list = { ...fps([1, 2]), type: 'list' }
      bench.server.behave(reset, json(list))
      const kept = await client().setParameter({ ...whichFps, value: [1n, 2n] })
      kept.should.eql(list)
    })

    it('has an unknown outcome if it cannot be read back', async () => {
      for (const answer of [
        reset,
        reply(404),
        reply(503),
        json({}),
        reply(429, '', { 'retry-after': '60' }),
      ]) {
        bench.server.received.length = 0
        bench.server.behave(reset, answer)
        const brief = client({ deadline: 200 })
        const failure = await failureOf(brief.setParameter(setFps))
        failure.code.should.equal('OUTCOME_UNKNOWN')
        should(failure.operation).equal('setParameter')
        methods().slice(0, 2).should.eql(['PUT', 'GET'])
        writes().should.equal(1)
        // Its last read may still be on its way.
        await brief.close()
        await bench.server.deserted()
      }
    })

    it('is known to have had no effect if it was read back and must not be repeated', async () => {
      bench.server.behave(reset, json(fps(25)))
      ;(await failureOf(client({ retries: 0 }).setParameter(setFps))).code.should.equal('UNREACHABLE')
      methods().should.eql(['PUT', 'GET', 'GET'])
    })

    it('reports why the device refused it, also the second time', async () => {
      bench.server.behave(reset, json(fps(25)), json(fps(25)), json({ message: 'locked' }, 403))
      ;(await failureOf(client().setParameter(setFps))).code.should.equal('FORBIDDEN')
    })
  })

  it('never sends a service twice over a connection that the device was closing', async () => {
    const client = bench.client()
    // The device closes each connection right after its answer, as at the end of its keep-alive time.
    bench.server.behave((response) => {
      json(sampleResult('callService'))(response, { method: '', url: '', headers: {}, body: Buffer.alloc(0) })
      response.on('finish', () => response.socket?.end())
    })
    for (let call = 0; call < 50; call++) await client.callService({ pipeline: '0', node: 'n', service: 's' })
    bench.server.received.should.have.length(50)
  })

  it('reconnects if a connection was reset before anything was sent on it', async () => {
    bench.server.behave((response, request) =>
      good(request.method === 'GET' ? 'getSystem' : 'callService')(response, request),
    )
    bench.server.resetConnections(1)
    const failure = await bench
      .client()
      .callService({ pipeline: '0', node: 'n', service: 's' })
      .then(
        () => undefined,
        (error: unknown) => (error as VisionError).code,
      )
    // A reset may show only after the request was sent; the outcome is then unknown, and it must not be sent again.
    should([undefined, 'OUTCOME_UNKNOWN']).containEql(failure)
    const methods = bench.server.received.map(({ method }) => method)
    // The device may have restarted, so it is asked first.
    methods.should.eql(failure === undefined ? ['GET', 'PUT'] : [])
  })
})
