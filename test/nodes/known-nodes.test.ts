import type { ServerResponse } from 'node:http'
import should from 'should'
import { createClient, type Client } from '../../lib'
import { VisionError } from '../../lib/client/vision-error'
import { KnownNodes, ParameterRecords } from '../../nodes/device/known-nodes'
import { json, startMisbehavingServer, type MisbehavingServer } from '../support/misbehaving-server'

const many = 50
const running = { parameters: [], services: [], status: 'running' }
const live = new AbortController().signal

describe('fifty messages at once', () => {
  let server: MisbehavingServer
  let client: Client
  /** Requested lists, which are answered when the test says so. */
  const lists: { url: string; response: ServerResponse }[] = []
  let listAsked: () => void = () => undefined

  before(async () => {
    server = await startMisbehavingServer()
    client = createClient({ address: server.url, concurrency: 2 * many, deadline: 60_000 })
  })
  beforeEach(() => {
    lists.length = 0
    server.received.length = 0
    server.behave((response, request) => {
      if (!/\/(nodes|parameters)$/.test(request.url))
        json({ message: 'no such node' }, 404)(response, request)
      else {
        lists.push({ url: request.url, response })
        listAsked()
      }
    })
  })
  after(async () => {
    await client.close()
    await server.stop()
  })

  const arrived = async (count: number) => {
    while (lists.length < count) await new Promise<void>((resolve) => (listAsked = resolve))
  }
  const answerLists = (body: object) => {
    for (const { response } of lists) json(body)(response, {} as never)
  }
  const readOn = (nodes: KnownNodes, signal = live) =>
    nodes
      .call({ pipeline: '0', node: 'dev_nothing', signal }, (target) =>
        client.getParameter({ pipeline: '0', node: target.node, param: 'fps' }, { signal }),
      )
      .then(
        () => 'read',
        (error: unknown) => (error as VisionError).code,
      )
  /** All are refused before the first list is answered. */
  const refused = () => server.arrived(many)

  it('with one wrong name cost one look-up', async () => {
    const nodes = new KnownNodes(client)
    const ends = Array.from({ length: many }, () => readOn(nodes))
    await refused()
    await arrived(2)
    answerLists([{ name: 'dev_camera', ...running }])
    should(new Set(await Promise.all(ends))).eql(new Set(['NOT_FOUND']))
    lists
      .map(({ url }) => url.replace('/api/v2', ''))
      .sort()
      .should.eql(['/nodes', '/pipelines/0/nodes'])
  })

  it('share the look-up that the first one began, even if that one is aborted', async () => {
    const nodes = new KnownNodes(client)
    const leaving = new AbortController()
    const first = readOn(nodes, leaving.signal)
    await arrived(2)
    const noSuchNode = new VisionError({ code: 'NOT_FOUND', key: 'not-found' })
    const others = Array.from({ length: 3 }, () =>
      nodes
        .call({ pipeline: '0', node: 'dev_nothing', signal: live }, () => Promise.reject(noSuchNode))
        .then(
          () => 'read',
          (error: unknown) => (error as VisionError).code,
        ),
    )
    // They join from the next turn on.
    await new Promise((resolve) => setImmediate(resolve))
    leaving.abort()
    should(await first).equal('ABORTED')
    answerLists([{ name: 'dev_camera', ...running }])
    should(await Promise.all(others)).eql(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
    lists.should.have.length(2)
  })

  it('leave no look-up behind when all of them are aborted', async () => {
    const nodes = new KnownNodes(client)
    const leaving = new AbortController()
    const ends = Array.from({ length: 3 }, () => readOn(nodes, leaving.signal))
    await arrived(2)
    const closed = lists.map(({ response }) => new Promise<void>((resolve) => response.on('close', resolve)))
    leaving.abort()
    should(await Promise.all(ends)).eql(['ABORTED', 'ABORTED', 'ABORTED'])
    await Promise.all(closed)
  })

  it('that were answered by the previous device do not affect the new one', async () => {
    const nodes = new KnownNodes(client)
    const before = readOn(nodes)
    await arrived(2)
    nodes.forget()
    const after = readOn(nodes)
    await arrived(4)
    answerLists([{ name: 'dev_camera', ...running }])
    should(await Promise.all([before, after])).eql(['NOT_FOUND', 'NOT_FOUND'])
  })

  it('that need the same records request them once', async () => {
    const records = new ParameterRecords(client)
    const target = { pipeline: '0', node: 'dev_camera' }
    const ends = Array.from({ length: many }, () => records.ask(target, live))
    await arrived(1)
    answerLists([{ name: 'fps', type: 'float64', value: 25, default: 25, min: 1, max: 25, description: '' }])
    for (const found of await Promise.all(ends)) should(found.get('fps')?.value).equal(25)
    lists.should.have.length(1)
    should(records.known(target)?.size).equal(1)
  })
})
