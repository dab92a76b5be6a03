import should from 'should'
import { heldAfterCollection } from '../support/collect-garbage'
import { endless, reply, type Behaviour } from '../support/misbehaving-server'
import { failureOf, useServer, whichFps } from './use-server'

const length = 8 * 1024 * 1024
const filled = (first: string, last: string) =>
  Buffer.concat([Buffer.from(first), Buffer.alloc(length, ' '), Buffer.from(last)])
/** Half of an answer, and then nothing. */
const half: Behaviour = (response) => {
  response.writeHead(200, { 'content-length': 2 * length }).write(Buffer.alloc(length))
}

describe('the error of a call', () => {
  const bench = useServer()
  // The first call loads what all need.
  before(async () => {
    const client = bench.client()
    await failureOf(client.getParameter(whichFps))
    await client.close()
  })
  const json = { 'content-type': 'application/json' }
  const answers: Record<string, [answer: Behaviour, code: string]> = {
    'without end': [endless, 'BAD_REPLY'],
    'cut off': [
      (response, request) => {
        half(response, request)
        response.socket?.end()
      },
      'UNREACHABLE',
    ],
    'not complete at the deadline': [half, 'TIMEOUT'],
    'of invalid JSON': [reply(200, filled('[', '}'), json), 'BAD_REPLY'],
    'of another shape': [reply(200, filled('[', ']'), json), 'BAD_REPLY'],
    'of invalid UBJSON': [
      reply(200, filled('[', '?'), { 'content-type': 'application/ubjson' }),
      'BAD_REPLY',
    ],
    'with a refusal': [reply(400, filled('"', '"'), json), 'BAD_REQUEST'],
  }
  for (const [what, [answer, code]] of Object.entries(answers))
    it(`keeps nothing of an answer ${what}`, async () => {
      bench.server.behave(answer)
      const before = await heldAfterCollection()
      const client = bench.client({ retries: 0, deadline: 2000 })
      // An error holds what its stack comes from, until somebody reads the stack.
      const error = await failureOf(client.getParameter(whichFps))
      await client.close()
      await bench.server.deserted()
      const after = await heldAfterCollection()
      should(after.external - before.external).be.below(length / 4)
      should(after.heap - before.heap).be.below(length / 4)
      error.code.should.equal(code)
    })
})
