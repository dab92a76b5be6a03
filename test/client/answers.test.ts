import { Kind } from '../../lib/typebox'
import should from 'should'
import { encodeUbjson } from '../../lib/codec/ubjson'
import { codeOfStatus, operation, operationIds } from '../../lib/contract'
import { shortSummaryOf } from '../../lib/contract/summary'
import { endless, garbage, json, reply, slowly, type Behaviour } from '../support/misbehaving-server'
import { sampleInput, sampleResult } from './samples'
import { callService, failureOf, fps, useServer, whichFps } from './use-server'

/** Nested lists, written as text because `JSON.stringify` fails on them. */
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('an answer', () => {
  const bench = useServer()

  for (const id of operationIds) {
    it(`to ${id} has the error code of its status`, async () => {
      for (const status of [400, 401, 402, 403, 404, 409, 413, 415, 418, 429, 500, 501, 502, 503, 504]) {
        const client = bench.client({ retries: 0 })
        bench.server.behave(json({ message: 'not today' }, status))
        const {
          code,
          operation: named,
          message,
          cause,
        } = await failureOf(client.request(id, sampleInput(id)))
        // A gateway may send these although the device has executed the call.
        const isOpen = operation(id).method !== 'GET' && [501, 502, 503, 504].includes(status)
        code.should.equal(isOpen ? 'OUTCOME_UNKNOWN' : (codeOfStatus[status] ?? 'BAD_REPLY'))
        should(named).equal(id)
        message.should
          .containEql(shortSummaryOf(id))
          .and.containEql(client.address)
          .and.containEql('not today')
        message.should.not.containEql('{{')
        should(cause).containEql({ status, body: { message: 'not today' } })
      }
    })

    it(`to ${id} matches the contract, whatever else it contains`, async () => {
      const result = sampleResult(id)
      const more = Array.isArray(result) ? result : { ...(result as object), more: { of: 'it' } }
      bench.server.behave(json(operation(id).result[Kind] === 'Object' ? more : result))
      should(await bench.client().request(id, sampleInput(id))).containDeep(result)
    })
  }

  const unreadable: Record<string, Behaviour> = {
    'no HTTP': garbage,
    'JSON cut off': reply(200, '{"name": "fp', { 'content-type': 'application/json' }),
    'a page': reply(200, '<html>login</html>', { 'content-type': 'text/html' }),
    nothing: reply(204),
    'a value of another type': json('25'),
    'a list': json([fps()]),
    'a field of another type': json({ ...fps(), name: 25 }),
    'a missing field': json({ name: 'fps' }),
    'UBJSON that is none': reply(200, '[[[[', { 'content-type': 'application/ubjson' }),
    'JSON said to be UBJSON': reply(200, '{"name":"x"}', { 'content-type': 'application/ubjson' }),
    'a redirection': reply(302, '', { location: 'http://elsewhere.invalid/' }),
    'a redirection to itself': reply(307, '', { location: '/' }),
    'a switch of protocols': reply(101),
    'nested without end': reply(200, nested(100_000), { 'content-type': 'application/json' }),
    'more headers than fit': (response) => response.writeHead(200, { x: 'x'.repeat(100_000) }).end(),
  }
  for (const [what, behaviour] of Object.entries(unreadable)) {
    it(`that is ${what} is a BAD_REPLY, requested once`, async () => {
      bench.server.behave(behaviour)
      const failure = await failureOf(bench.client().getParameter(whichFps))
      failure.code.should.equal('BAD_REPLY')
      failure.message.should.not.containEql('{{')
      bench.server.received.should.have.length(1)
    })
  }

  it('that is invalid is an error naming the field', async () => {
    bench.server.behave(json({ ...fps(), name: 25 }))
    const { message } = await failureOf(bench.client().getParameter(whichFps))
    message.should.containEql('name is not string')
  })

  it('without end is abandoned at the limit', async () => {
    bench.server.behave(endless)
    const { code, message } = await failureOf(
      bench.client({ maxAnswerBytes: 100_000 }).getParameter(whichFps),
    )
    code.should.equal('BAD_REPLY')
    message.should.containEql('100000 bytes')
    await bench.server.deserted()
  })

  it('of an endless error is abandoned too', async () => {
    bench.server.behave((response, request) => {
      response.statusCode = 500
      endless(response, request)
    })
    const { code } = await failureOf(bench.client({ maxAnswerBytes: 100_000 }).getParameter(whichFps))
    code.should.equal('BAD_REPLY')
  })

  it('of an endlessly nested error has the code of its status, at once', async () => {
    bench.server.behave(reply(400, nested(30_000), { 'content-type': 'application/json' }))
    const login = { user: 'u', password: 'p' }
    for (const client of [bench.client(), bench.client({ login })])
      (await failureOf(callService(client))).code.should.equal('BAD_REQUEST')
  })

  it('that is a web page is reported as such, also if text or a file was requested', async () => {
    bench.server.behave(
      reply(200, ' <!DOCTYPE html><p>Sign in', { 'content-type': 'text/html; charset=utf-8' }),
    )
    const client = bench.client()
    for (const call of [
      client.getLog({ log: 'api.log', format: 'raw' }),
      client.request('getTemplate', { ...sampleInput('getTemplate'), format: 'file' }),
      client.getParameter(whichFps),
    ])
      (await failureOf(call)).should.match({
        code: 'BAD_REPLY',
        message: /is a web page, such as a login portal/,
      })
  })

  it('with a wrong content type is read nevertheless', async () => {
    bench.server.behave(reply(200, JSON.stringify(fps()), { 'content-type': 'text/html' }))
    ;(await bench.client().getParameter(whichFps)).should.eql(fps())
  })

  it('as long as the limit is read', async () => {
    const text = JSON.stringify(fps())
    bench.server.behave(reply(200, text))
    const client = bench.client({ maxAnswerBytes: text.length })
    ;(await client.getParameter(whichFps)).should.eql(fps())
    const tooTight = bench.client({ maxAnswerBytes: text.length - 1 })
    ;(await failureOf(tooTight.getParameter(whichFps))).code.should.equal('BAD_REPLY')
  })

  describe('with an object of very many fields', () => {
    const records = (count: number) => {
      const more = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'text']))
      return [{ ...fps(), default: more }]
    }
    const forms = {
      JSON: json,
      UBJSON: (body: unknown) => reply(200, encodeUbjson(body), { 'content-type': 'application/ubjson' }),
    }
    const all = { pipeline: '0', node: 'dev_camera' }

    for (const [form, as] of Object.entries(forms)) {
      it(`in ${form} is read up to the limit, and beyond it refused with advice`, async () => {
        bench.server.behave(as(records(16_384)))
        should((await bench.client().getParameters(all))[0]?.name).equal('fps')
        bench.server.behave(as(records(16_385)))
        const asked = bench.server.received.length
        const failure = await failureOf(bench.client().getParameters(all))
        failure.should.match({ code: 'BAD_REPLY', key: 'too-many-fields-reply' })
        failure.message.should.match(
          /an object in the answer has more than 16384 fields .* Request less at once/,
        )
        bench.server.received.length.should.equal(asked + 1)
        const german = await failureOf(bench.client({ language: 'de' }).getParameters(all))
        german.message.should.match(/mehr als 16384 Felder .* Fragen Sie weniger auf einmal ab/)
      })

      it(`in ${form} leaves the outcome of a service open`, async () => {
        bench.server.behave(as({ name: 'trigger', response: records(16_385)[0] }))
        const failure = await failureOf(callService(bench.client()))
        failure.should.match({ code: 'OUTCOME_UNKNOWN', message: /an object with more than 16384 fields/ })
      })

      it(`in ${form} that would take many times its size in memory is refused with the reason`, async () => {
        const empty = Array.from({ length: 200_000 }, () => ({}))
        bench.server.behave(as([{ ...fps(), default: empty }]))
        const failure = await failureOf(bench.client().getParameters(all))
        failure.should.match({ code: 'BAD_REPLY', key: 'too-much-memory-reply' })
        failure.message.should.match(/more than \d+ bytes of memory .* Request less at once/)
      })
    }
  })

  it('in many small pieces is read', async () => {
    bench.server.behave(slowly(JSON.stringify(fps('ä€𝄞'))))
    ;(await bench.client().getParameter(whichFps)).should.eql(fps('ä€𝄞'))
  })

  it('is decoded by its own content type, whatever was requested', async () => {
    const asUbjson = reply(200, encodeUbjson(fps()), { 'content-type': 'application/ubjson' })
    bench.server.behave(asUbjson, json(fps()))
    ;(await bench.client().getParameter(whichFps)).should.eql(fps())
    ;(await bench.client({ format: 'ubjson' }).getParameter(whichFps)).should.eql(fps())
  })

  it('with an error in UBJSON is decoded', async () => {
    const body = encodeUbjson({ message: 'locked' })
    bench.server.behave(reply(403, body, { 'content-type': 'application/ubjson' }))
    const { message, cause } = await failureOf(bench.client().getParameter(whichFps))
    message.should.containEql('locked')
    should(cause?.body).eql({ message: 'locked' })
  })

  it('is text if text was requested', async () => {
    bench.server.behave(reply(200, 'one\ntwo\n', { 'content-type': 'text/plain' }))
    ;(await bench.client().getLog({ log: 'api.log', format: 'raw' })).should.equal('one\ntwo\n')
  })

  it('without a body is accepted if the specification describes none', async () => {
    bench.server.behave(reply(200))
    should(await bench.client().reboot()).be.undefined()
  })

  it('carries the return code of a refused write', async () => {
    const returnCode = { value: -1, message: 'fps must be at most 25.' }
    bench.server.behave(json({ return_code: returnCode }, 400))
    const { message, cause } = await failureOf(bench.client().setParameter({ ...whichFps, value: 99 }))
    message.should.containEql('fps must be at most 25. Correct')
    should(cause?.returnCode).eql(returnCode)
  })

  it('of a gateway is quoted if it is text, but not if it is a page', async () => {
    bench.server.behave(reply(404, 'no such  cell.\n'), reply(404, '<html>no such cell</html>'))
    const { message } = await failureOf(bench.client().getParameter(whichFps))
    message.should.containEql('The device reports: no such cell. ')
    ;(await failureOf(bench.client().getParameter(whichFps))).message.should.not.containEql('says')
  })

  it('that is long and gives a reason is decoded', async () => {
    bench.server.behave(json({ message: 'no', more: 'x'.repeat(10_000) }, 403))
    const { message, cause } = await failureOf(bench.client().getParameter(whichFps))
    message.should.containEql('The device reports: no.')
    String(cause?.body).length.should.equal(4096)
  })

  it('that is long is kept in part', async () => {
    bench.server.behave(reply(404, 'x'.repeat(100_000)))
    const { cause } = await failureOf(bench.client().getParameter(whichFps))
    String(cause?.body).length.should.equal(4096)
  })
})
