import should from 'should'
import { decodeUbjson, encodeUbjson } from '../../lib/codec/ubjson'
import { operation, operationIds } from '../../lib/contract'
import { json, reply } from '../support/misbehaving-server'
import { leastInput, sampleInput, sampleResult } from './samples'
import { failureOf, fps, useServer, whichFps } from './use-server'

const awkwardNames = [
  'a/b',
  '%2e%2e',
  '..%2f',
  'é',
  'a?b#c',
  'a b',
  '…',
  '.hidden',
  'a..',
  ';x=1',
  '\\..\\',
  '%',
]

describe('a request', () => {
  const bench = useServer()

  for (const id of operationIds) {
    const { method, path, params = {}, query = {}, body } = operation(id)

    it(`of ${id} has the method and path of the contract`, async () => {
      bench.server.behave(json(sampleResult(id)))
      const client = bench.client()
      for (const input of [leastInput(id), sampleInput(id)]) await client.request(id, input)

      for (const request of bench.server.received) {
        request.method.should.equal(method)
        const { pathname, searchParams } = new URL(request.url, bench.server.url)
        pathname.should.equal(`/api/v2${path.replaceAll(/\{\w+\}/g, '1')}`)
        for (const name of searchParams.keys()) Object.keys(query).should.containEql(name)
        should(request.headers['content-type'] === undefined).equal(!body)
      }
    })

    for (const part of Object.keys(params).filter((name) => name !== 'pipeline')) {
      it(`of ${id} keeps any ${part} in its own segment`, async () => {
        bench.server.behave(json(sampleResult(id)))
        const client = bench.client()
        for (const name of awkwardNames) {
          await client.request(id, { ...sampleInput(id), [part]: name })
          const sent = bench.server.received.at(-1)?.url.split('?')[0] ?? ''
          const place = `/api/v2${path}`.split('/').indexOf(`{${part}}`)
          decodeURIComponent(sent.split('/')[place] ?? '').should.equal(name)
          sent.split('/').length.should.equal(`/api/v2${path}`.split('/').length)
          // A URL parser reads the same address.
          new URL(sent, bench.server.url).pathname.should.equal(sent)
        }
      })

      it(`of ${id} refuses a ${part} that an address cannot hold`, async () => {
        const client = bench.client()
        for (const name of ['.', '..', '', '\ud800']) {
          const { code, message } = await failureOf(client.request(id, { ...sampleInput(id), [part]: name }))
          code.should.equal('INVALID_INPUT')
          message.should.containEql(part)
        }
        bench.server.received.should.be.empty()
      })
    }
  }

  it('is refused with the name of a missing, invalid or unknown field', async () => {
    const client = bench.client()
    const cases: [Record<string, unknown>, string][] = [
      [{ node: 'a', param: 'b' }, 'pipeline is missing'],
      [{ ...whichFps, pipeline: '4' }, 'pipeline is not valid'],
      [{ ...whichFps, node: 7 }, 'node is not valid'],
      [{ ...whichFps, parm: 'x' }, 'no input named parm'],
    ]
    for (const [input, words] of cases) {
      const failure = await failureOf(client.request('getParameter', input))
      failure.code.should.equal('INVALID_INPUT')
      failure.message.should.containEql(words)
    }
    const wrongList = { pipeline: '0', node: 'a', parameters: [{ name: 1, value: 2 }] }
    ;(await failureOf(client.request('setParameters', wrongList))).message.should.containEql(
      'parameters.0.name',
    )
    bench.server.received.should.be.empty()
  })

  it('is refused for an unknown operation', async () => {
    for (const id of ['getEverything', 'toString', '__proto__']) {
      const failure = await failureOf(bench.client().request(id as 'getSystem'))
      failure.code.should.equal('INVALID_INPUT')
      failure.message.should.containEql(id)
    }
  })

  it('is refused if the input is not an object', async () => {
    for (const input of [null, 'fps', 7, []])
      (await failureOf(bench.client().request('getParameter', input as object))).code.should.equal(
        'INVALID_INPUT',
      )
  })

  it('sends no value that would arrive as a different one', async () => {
    const ring: Record<string, unknown> = {}
    ring.ring = ring
    const client = bench.client()
    for (const value of [
      NaN,
      Infinity,
      undefined,
      () => 1,
      Symbol('x'),
      [1, undefined],
      { a: { b: NaN } },
      ring,
    ]) {
      const failure = await failureOf(client.setParameter({ ...whichFps, value }))
      failure.code.should.equal('INVALID_INPUT')
      failure.message.should.containEql('value')
    }
    bench.server.received.should.be.empty()
  })

  it('leaves out what is undefined', async () => {
    bench.server.behave(json(sampleResult('getLog')))
    await bench.client().getLog({ log: 'a', limit: undefined })
    bench.server.received[0]?.url.should.equal('/api/v2/logs/a')
  })

  it('repeats a query key for each item of a list', async () => {
    bench.server.behave(json([]))
    await bench.client().getParameters({ pipeline: '0', node: 'dev_camera', name: ['a&b', 'c'] })
    bench.server.received[0]?.url.should.endWith('/parameters?name=a%26b&name=c')
  })

  it('has a bare list, an object or a form as its body', async () => {
    const client = bench.client()
    bench.server.behave(json([]), json(sampleResult('callService')), json(sampleResult('addDestination')))
    await client.setParameters({ pipeline: '0', node: 'n', parameters: [{ name: 'fps', value: 1 }] })
    await client.callService({ pipeline: '0', node: 'n', service: 's', args: { slot: 1 } })
    await client.addDestination({ stream: 'pose', destination: '127.0.0.1:30000' })
    const [list, object, form] = bench.server.received.map(({ body }) => body.toString())
    should(list).equal('[{"name":"fps","value":1}]')
    should(object).equal('{"args":{"slot":1}}')
    should(form).equal('destination=127.0.0.1%3A30000')
  })

  it('accepts JSON, and in the UBJSON format UBJSON first', async () => {
    bench.server.behave(json(fps()))
    await bench.client().getParameter(whichFps)
    await bench.client({ format: 'ubjson' }).getParameter(whichFps)
    bench.server.received
      .map(({ headers }) => headers.accept)
      .should.eql(['application/json', 'application/ubjson, application/json;q=0.5'])
  })

  it('accepts text if the answer is text', async () => {
    bench.server.behave(reply(200, 'one line', { 'content-type': 'text/plain' }))
    const client = bench.client({ login: { token: 'abc' } })
    await client.getLog({ log: 'api.log', format: 'raw' })
    should(bench.server.received[0]?.headers).containEql({
      accept: 'text/plain',
      authorization: 'Bearer abc',
    })
  })

  it('encodes and decodes UBJSON in that format', async () => {
    bench.server.behave(reply(200, encodeUbjson(fps(10)), { 'content-type': 'application/ubjson' }))
    const kept = await bench.client({ format: 'ubjson' }).setParameter({ ...whichFps, value: 10 })
    kept.should.eql(fps(10))
    const [request] = bench.server.received
    should(request?.headers['content-type']).equal('application/ubjson')
    should(decodeUbjson(request?.body ?? Buffer.alloc(0))).eql({ value: 10 })
  })

  it('carries the login of the options or of the address', async () => {
    bench.server.behave(json(fps()))
    const inAddress = bench.server.url.replace('://', '://me:p%40ss@')
    const logins = [
      { login: { token: 'abc' } },
      { login: { user: 'me', password: 'p@ss' } },
      { address: inAddress },
    ]
    for (const options of logins) await bench.client(options).getParameter(whichFps)
    const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    bench.server.received.map(({ headers }) => headers.authorization).should.eql(['Bearer abc', basic, basic])
  })

  it('is refused for an unknown operation', async () => {
    bench.server.behave(json(fps()))
    await bench.client({ address: `${bench.server.url}/cell1/` }).getParameter(whichFps)
    bench.server.received[0]?.url.should.startWith('/cell1/api/v2/pipelines/')
  })
})
