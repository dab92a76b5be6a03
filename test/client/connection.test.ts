import should from 'should'
import * as undici from 'undici'
import { Connection, type Connect } from '../../lib/client/connection'
import { settingsOf } from '../../lib/client/options'
import { json } from '../support/misbehaving-server'
import { slowName } from '../support/slow-addresses'
import { useServer, fps, whichFps } from './use-server'

describe('a connection', () => {
  const bench = useServer()
  let connection: Connection
  let made: number

  beforeEach(() => {
    const connect = undici.buildConnector({ timeout: 0 }) as unknown as Connect
    connection = new Connection(settingsOf({ address: bench.server.url }), undici, connect)
    bench.server.behave(json({}))
    made = bench.server.connections()
  })
  afterEach(() => connection.close())

  const send = (now: number, unrepeatable: boolean) =>
    new Promise<void>((resolve, reject) => {
      const handler = { onRequestStart: () => undefined, onResponseEnd: () => resolve() }
      const onResponseError = (_: unknown, error: Error) => reject(error)
      connection.dispatch({ path: '/', method: 'PUT' }, { ...handler, onResponseError }, now, unrepeatable)
    }).then(() => connection.used(now))

  const connections = () => bench.server.connections() - made

  it('is opened anew for a call that cannot be repeated, if the device may be closing the old one', async () => {
    await send(0, true)
    await send(900, true)
    connections().should.equal(1)
    await send(2000, true)
    connections().should.equal(2)
    await send(2100, true)
    connections().should.equal(2)
  })

  it('is kept for a call that can be repeated', async () => {
    for (const now of [0, 2000, 4000]) await send(now, false)
    connections().should.equal(1)
  })

  it('can be dropped at any time and is opened anew', async () => {
    await connection.close()
    await send(0, false)
    await connection.close()
    await connection.close()
    await bench.server.deserted()
    await send(0, false)
    connections().should.equal(2)
  })
})

describe('a host name with several addresses over a slow link', () => {
  const bench = useServer()
  const slow = slowName()

  it('is reached within the deadline of the connection', async () => {
    bench.server.behave(json(fps(25)))
    const { port } = new URL(bench.server.url)
    await slow.lead(Number(port))
    const client = bench.client({
      ...{ address: `${slow.name}:${port}`, connectDeadline: 30_000, deadline: 60_000, retries: 0 },
    })
    should((await client.getParameter(whichFps)).value).equal(25)
  })
})
