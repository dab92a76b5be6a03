import should from 'should'
import { createClient, isVisionError, type CallOptions, type ClientOptions } from '../../lib'
import { json, reply } from '../support/misbehaving-server'
import { failureOf, fps, useServer, whichFps } from './use-server'

/** As programs without types may pass them. */
const ofCall = (options: unknown) => options as CallOptions
const ofClient = (options: unknown) => options as ClientOptions

describe('an option', () => {
  const bench = useServer()

  for (const [option, values] of Object.entries({
    signal: [{}, 'stop', new AbortController()],
    deadline: [0, -1, NaN, Infinity, '5', 5n],
    stall: [0, NaN, '5'],
    onProgress: ['tell me', {}],
  }))
    it(`${option} of a call is checked: INVALID_INPUT, and nothing is sent`, async () => {
      for (const value of values) {
        const call = bench.client().getParameter(whichFps, ofCall({ [option]: value }))
        const failure = await failureOf(call)
        failure.code.should.equal('INVALID_INPUT')
        failure.message.should.containEql(option)
      }
      bench.server.received.should.be.empty()
    })

  it('list of a call must be an object: INVALID_INPUT', async () => {
    for (const options of [null, 5, 'fast'])
      (await failureOf(bench.client().getParameter(whichFps, ofCall(options)))).code.should.equal(
        'INVALID_INPUT',
      )
  })

  for (const [option, values] of Object.entries({
    login: ['admin', {}, { user: 'me' }, { token: 5 }],
    tls: ['yes', 5],
    language: [5, {}],
    random: [0.5],
    format: ['xml', 5],
    pace: [-1, NaN, '5'],
    retries: [-1, 1.5],
    lateArrival: [0, NaN],
    address: [undefined, 5, {}],
  }))
    it(`${option} of a client is checked: INVALID_INPUT`, () => {
      for (const value of values) {
        const options = ofClient({ address: '127.0.0.1', [option]: value })
        should(() => createClient(options)).throw({ code: 'INVALID_INPUT' })
      }
    })

  it('list of a client must be an object: INVALID_INPUT', () => {
    for (const options of [undefined, null, '127.0.0.1'])
      should(() => createClient(ofClient(options))).throw({ code: 'INVALID_INPUT' })
  })

  it('of a call accepts an abort signal of another library', async () => {
    bench.server.behave(json(fps()))
    const { signal } = new AbortController()
    const other = {
      aborted: false,
      addEventListener: signal.addEventListener.bind(signal),
      removeEventListener: signal.removeEventListener.bind(signal),
    }
    await bench.client().getParameter(whichFps, ofCall({ signal: other }))
  })
})

describe('a fault of this software', () => {
  const bench = useServer()

  it('ends the call at once with the original error, and the next call works', async () => {
    bench.server.behave(reply(503), json(fps()))
    const client = bench.client({
      deadline: 60_000,
      concurrency: 1,
      random: () => {
        throw new RangeError('no chance')
      },
    })
    const failure = await failureOf(client.getParameter(whichFps))
    failure.should.have.properties({ code: 'INTERNAL', key: 'internal' })
    failure.message.should.containEql('RangeError: no chance')
    isVisionError(failure).should.be.true()
    await client.getParameter(whichFps)
  })
})
