import should from 'should'
import { createClient, type Client, type ClientOptions } from '../../lib'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { json, reply, reset, type Behaviour } from '../support/misbehaving-server'
import { startNginx } from '../support/nginx'
import { failureOf, fps, useServer, whichFps } from './use-server'

const resetDefaults = { pipeline: '0', node: 'dev_camera', service: 'reset_defaults' }
const page = (status: number) => reply(status, '<html>Bad</html>', { 'content-type': 'text/html' })
const ownWord = { message: 'starting', return_code: { value: -8, message: 'starting' } }

describe('behind nginx', () => {
  type Gateway = Awaited<ReturnType<typeof startNginx>>
  let device: VirtualDevice
  let gateway: Gateway
  const clients: Client[] = []
  const client = (options: Partial<ClientOptions> = {}) => {
    const made = createClient({ address: gateway.url, random: () => 0, ...options })
    clients.push(made)
    return made
  }
  const executed = () => device.calls().filter(({ operation }) => operation === 'callService').length

  before(async () => {
    device = await startVirtualDevice({ port: 0 })
    gateway = await startNginx({ target: device.url, server: 'proxy_read_timeout 300ms;' })
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((one) => one.close()))
    device.setScenario({ drop_answers: 0, latency_ms: 0, offline: false })
  })
  after(async () => {
    await gateway.stop()
    await device.stop()
  })

  it('a service whose answer was lost or late is executed once, and its outcome is unknown', async () => {
    for (const [fault, status] of [
      [{ drop_answers: 1 }, 502],
      [{ latency_ms: 600 }, 504],
    ] as const) {
      const before = executed()
      device.setScenario({ drop_answers: 0, latency_ms: 0, ...fault })
      const failure = await failureOf(client().callService(resetDefaults))
      failure.code.should.equal('OUTCOME_UNKNOWN')
      failure.message.should.containEql(`status ${status}`)
      should(failure.cause?.status).equal(status)
      ;(executed() - before).should.equal(1)
    }
  })

  it('a service is not sent after a read was answered that the device is starting', async () => {
    const one = client({ retries: 0 })
    await one.callService(resetDefaults)
    const before = device.calls().length
    device.setScenario({ offline: true })
    ;(await failureOf(one.getSystem())).code.should.equal('STARTING')
    ;(await failureOf(one.callService(resetDefaults))).code.should.equal('STARTING')
    device.setScenario({ offline: false })
    device.calls().length.should.equal(before)
    await one.callService(resetDefaults)
  })

  it('a service is executed at most once, and with STARTING not at all, whatever is lost', async () => {
    const one = client({ retries: 1 })
    const unwaiting = { waitForDevice: false }
    for (let call = 0; call < 20; call++) {
      device.setScenario({ drop_answers: call % 3 === 0 ? 0 : 1 })
      await one.getSystem(unwaiting).catch(() => undefined)
      device.setScenario({ drop_answers: call % 2 })
      const before = executed()
      const code = await one.callService(resetDefaults, unwaiting).then(
        () => 'done',
        (error: unknown) => (error as { code: string }).code,
      )
      should(['done', 'STARTING', 'OUTCOME_UNKNOWN']).containEql(code)
      ;(executed() - before).should.equal(code === 'STARTING' ? 0 : 1)
    }
  })

  it('a parameter is written once and read back', async () => {
    const one = client({ lateArrival: 100 })
    device.setScenario({ drop_answers: 1 })
    const writing = one.setParameter({ ...whichFps, value: 11 })
    while (device.parameter('dev_camera', 'fps') !== 11) await new Promise(setImmediate)
    device.setScenario({ drop_answers: 0 })
    should((await writing).value).equal(11)
    const writes = device.calls().filter(({ operation }) => operation === 'setParameter')
    writes.should.have.length(1)
  })

  it('a read is repeated', async () => {
    const reads = () => device.calls().filter(({ operation }) => operation === 'getParameter').length
    const before = reads()
    device.setScenario({ drop_answers: 1 })
    const reading = client({ random: () => 0.2 }).getParameter(whichFps)
    while (reads() === before) await new Promise(setImmediate)
    device.setScenario({ drop_answers: 0 })
    ;(await reading).name.should.equal('fps')
    reads().should.be.above(before + 1)
  })
})

describe('an answer that may be a gateway’s', () => {
  const bench = useServer()
  const service = { pipeline: '0', node: 'n', service: 's' }

  const open: Record<string, Behaviour> = {
    502: reply(502),
    '502 with a page': page(502),
    '502 with a message': json({ message: 'bad gateway' }, 502),
    503: reply(503),
    '503 with a page': page(503),
    '503 with a message': json({ message: 'no peer' }, 503),
    504: reply(504),
    '504 with a return code': json(ownWord, 504),
    408: reply(408),
    500: reply(500),
    '500 with a page': page(500),
    '500 with text': reply(500, 'Internal Server Error', { 'content-type': 'text/plain' }),
    501: reply(501),
    520: reply(520),
    524: page(524),
    303: reply(303, '', { location: '/' }),
    '200 with a page': page(200),
    '200 with text': reply(200, 'ok', { 'content-type': 'text/plain' }),
    '200 with another result': json({ surprise: true }),
  }
  for (const [what, behaviour] of Object.entries(open))
    it(`leaves the outcome of a service open: ${what}`, async () => {
      bench.server.behave(behaviour)
      const failure = await failureOf(bench.client().callService(service))
      failure.code.should.equal('OUTCOME_UNKNOWN')
      failure.message.should.match(/may or may not have taken effect/).and.not.match(/\{\{/)
      bench.server.received.should.have.length(1)
    })

  const told: Record<string, [Behaviour, string]> = {
    '502 with a return code': [json(ownWord, 502), 'STARTING'],
    '503 with a return code': [json(ownWord, 503), 'STARTING'],
    '500 with a message': [json({ message: 'failed' }, 500), 'DEVICE_FAULT'],
    '400 with a page': [page(400), 'BAD_REQUEST'],
    '401 with a page': [page(401), 'UNAUTHORIZED'],
    '403 with a page': [page(403), 'FORBIDDEN'],
    '404 with a page': [page(404), 'NOT_FOUND'],
    '413 with a page': [page(413), 'TOO_LARGE'],
    '418': [reply(418), 'BAD_REPLY'],
    '301': [reply(301, '', { location: '/' }), 'BAD_REPLY'],
    '307': [reply(307, '', { location: '/' }), 'BAD_REPLY'],
  }
  for (const [what, [behaviour, code]] of Object.entries(told))
    it(`shows that a service was not executed, or is the device’s own answer: ${what}`, async () => {
      bench.server.behave(behaviour)
      ;(await failureOf(bench.client().callService(service))).code.should.equal(code)
      bench.server.received.should.have.length(1)
    })

  it('is not taken for the device’s word where a request is too large', async () => {
    for (const behaviour of [page(413), reply(413, 'Payload Too Large', { 'content-type': 'text/plain' })]) {
      bench.server.behave(behaviour)
      const { code, message } = await failureOf(bench.client().callService(service))
      code.should.equal('TOO_LARGE')
      message.should.match(/a gateway or proxy in front of the device refused .* client_max_body_size/)
      message.should.not.match(/The device reports/)
    }
    bench.server.behave(json({ message: 'the body is longer than 9 bytes' }, 413))
    const { message } = await failureOf(bench.client().callService(service))
    message.should.match(/too large for the device\. The device reports: the body is longer/)
    bench.server.behave(page(413))
    const german = await failureOf(bench.client({ language: 'de' }).callService(service))
    german.message.should.match(/Ein Gateway oder Proxy vor dem Gerät/)
  })

  it('does not prevent the read-back of a parameter write', async () => {
    for (const behaviour of [page(502), page(504), page(200), json({ surprise: true })]) {
      bench.server.received.length = 0
      bench.server.behave(behaviour, json(fps(10)))
      const kept = await bench.client({ lateArrival: 10 }).setParameter({ ...whichFps, value: 10 })
      kept.should.eql(fps(10))
      bench.server.received.filter(({ method }) => method === 'PUT').should.have.length(1)
    }
  })

  it('that is invalid, to the question whether the device is still starting, sends nothing and reports that', async () => {
    bench.server.behave(reply(502), reset)
    const client = bench.client({ retries: 0 })
    await failureOf(client.getSystem())
    const failure = await failureOf(client.callService(service))
    failure.should.have.properties({ code: 'UNREACHABLE', key: 'unreachable' })
    bench.server.received.map(({ method }) => method).should.eql(['GET', 'GET'])
  })

  it('to that question, with any other answer of the device, lets the service be sent', async () => {
    bench.server.behave(reply(502), reply(403), json({ response: {} }))
    const client = bench.client({ retries: 0 })
    await failureOf(client.getSystem())
    await client.callService(service).catch(() => undefined)
    bench.server.received.map(({ method }) => method).should.eql(['GET', 'GET', 'PUT'])
  })
})
