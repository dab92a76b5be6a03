import { inspect } from 'node:util'
import 'should'
import { operationIds } from '../../lib/contract'
import { closedAddress, garbage, json, reply, reset, type Behaviour } from '../support/misbehaving-server'
import { sampleInput } from './samples'
import { failureOf, useServer } from './use-server'

const password = 'p"äss/wörd 1'
const token = 'tok-3n/+='
const hash = '5f4dcc3b/5aa+765=d'

/** A secret as it may appear in an address, in JSON or alone. */
const forms = (secret: string) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]

const logins = {
  'in the address': [...forms(password), Buffer.from(`me:${password}`).toString('base64')],
  'as a token': forms(token),
}

/** Everything in an error that anybody could see. */
const shownBy = (error: Error) =>
  [inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), error.stack, String(error)].join(
    '\n',
  )

describe('what is secret', () => {
  const bench = useServer()

  /** Repeats everything it was sent, as a careless gateway does. */
  const echo =
    (status: number): Behaviour =>
    (response, request) => {
      const seen = `${request.url} ${decodeURIComponent(request.url)} ${String(request.headers.authorization)}`
      json({ message: seen, return_code: { value: -1, message: seen }, [seen]: [request] }, status)(
        response,
        request,
      )
    }
  const echoAsText: Behaviour = (response, request) => {
    const seen = `${String(request.headers.authorization)} ${decodeURIComponent(request.url)}`
    reply(200, seen)(response, request)
  }
  const behaviours: Record<string, Behaviour> = {
    'status 302': echo(302),
    'status 400': echo(400),
    'status 401': echo(401),
    'status 404': echo(404),
    'status 500': echo(500),
    'an answer that cannot be read': echoAsText,
    'a reset': reset,
    garbage,
  }

  for (const [what, behaviour] of Object.entries(behaviours)) {
    for (const [where, secrets] of Object.entries(logins)) {
      it(`appears in no error after ${what}, with a login ${where}`, async () => {
        bench.server.behave(behaviour)
        const address = bench.server.url.replace('://', `://me:${encodeURIComponent(password)}@`)
        const client = bench.client({
          retries: 0,
          ...(where === 'as a token' ? { login: { token } } : { address }),
        })
        for (const id of operationIds) {
          const input = id === 'setUiLock' ? { hash } : sampleInput(id)
          const shown = shownBy(await failureOf(client.request(id, input)))
          for (const secret of [...secrets, ...forms(hash)]) shown.should.not.containEql(secret)
        }
      })
    }
  }

  it('appears in no error about the input or the connection, and not in the client', async () => {
    const address = (await closedAddress()).replace('://', `://me:${encodeURIComponent(password)}@`)
    const client = bench.client({ address, retries: 0 })
    const secrets = [...logins['in the address'], ...forms(hash)]
    for (const input of [{ hash }, { hash, set: 'yes' }, { hash, sett: true }]) {
      const shown = shownBy(await failureOf(client.request('setUiLock', input)))
      for (const secret of secrets) shown.should.not.containEql(secret)
    }
    for (const secret of secrets)
      inspect(client, { depth: 10, showHidden: true }).should.not.containEql(secret)
    client.address.should.not.containEql('me')
  })
})
