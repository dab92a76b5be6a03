import { createRequire } from 'node:module'
import type { NodeInitializer, NodeMessage } from 'node-red'
import should from 'should'
import { closedAddress, json, reply, silence, startMisbehavingServer } from '../support/misbehaving-server'
import type { Behaviour, MisbehavingServer } from '../support/misbehaving-server'
import { onTab, useBench, type Bench } from '../support/bench'
import { testCertificate } from '../support/test-certificate'

const fields = { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' }
const fps = { name: 'fps', type: 'float64', value: 25, default: 25, min: 1, max: 25, description: '' }
const image = { image_version: 'v1.2.3' }
const system = {
  firmware: {
    active_image: image,
    inactive_image: image,
    fallback_booted: false,
    next_boot_image: 'active_image',
  },
  hostname: 'vision',
  link_speed: 1000,
  mac: '',
  ready: true,
  serial: '1',
  time: 1,
  uptime: 1,
}

/** A device with only its state and one parameter. */
const smallDevice =
  (state: object = system): Behaviour =>
  (response, request) => {
    const known = request.url.endsWith('/system') ? state : request.url.endsWith('/fps') ? fps : undefined
    ;(known ? json(known) : json({ message: 'nothing here' }, 404))(response, request)
  }

/** A bench whose device is a scripted server. */
function onServer(options: {
  behaviour?: Behaviour
  /** The node on the device. @default reads a parameter */
  node?: object
  config?: object
  credentials?: object
  environment?: (url: URL) => Record<string, string>
}) {
  const config = { address: '', ...options.config }
  let environment: Record<string, string> = {}
  const place: { server: MisbehavingServer; bench: Bench } = {} as never
  before(async () => {
    place.server = await startMisbehavingServer()
    place.server.behave(options.behaviour ?? smallDevice())
    config.address ||= place.server.url
    environment = options.environment?.(new URL(place.server.url)) ?? {}
    Object.assign(process.env, environment)
  })
  place.bench = useBench(options.node ?? fields, {
    config,
    ...(options.credentials && { credentials: { device: options.credentials } }),
  })
  after(async () => {
    for (const name of Object.keys(environment)) Reflect.deleteProperty(process.env, name)
    await place.server.stop()
  })
  return place
}

describe('a device', () => {
  describe('that boots', () => {
    const place = onServer({ behaviour: reply(502) })

    it('is starting until it says that it is ready', async () => {
      const { bench, server } = place
      await bench.state('starting')
      await bench.status('starting')
      should(bench.statuses.at(-1)).match({ fill: 'yellow' })
      server.behave(smallDevice({ ...system, ready: false }))
      const asked = server.received.length
      await server.arrived(asked + 2)
      bench.config.device.state.should.equal('starting')
      server.behave(smallDevice())
      await bench.state('ready')
      bench.statuses
        .slice(0, -1)
        .some(({ fill }) => fill === 'green')
        .should.be.false()
    })
  })

  describe('that boots while a service is called', () => {
    const node = { type: 'vision-call-service', node: 'dev_camera', service: 'reset_defaults' }
    const place = onServer({ behaviour: reply(502), node, config: { deadline: 60 } })

    it('gets the service once, when it answers, and the node shows what it waits for', async () => {
      const { bench, server } = place
      await bench.state('starting')
      const called = bench.send()
      const asked = server.received.length
      await server.arrived(asked + 5)
      await bench.status('starting')
      const services = () => server.received.filter(({ method }) => method === 'PUT').length
      services().should.equal(0)
      server.behave((response, request) => {
        const answer =
          request.method === 'PUT' ? json({ name: 'reset_defaults', response: {} }) : smallDevice()
        answer(response, request)
      })
      await called
      services().should.equal(1)
    })
  })

  describe('behind a gateway that requires a login', () => {
    const guarded: Behaviour = (response, request) => {
      const { authorization } = request.headers
      const isRight = authorization === `Basic ${Buffer.from('robot:s3cret').toString('base64')}`
      ;(isRight ? smallDevice() : json({ message: 'who are you' }, 401))(response, request)
    }

    describe('and none is given', () => {
      const place = onServer({ behaviour: guarded })
      it('says so', async () => {
        await place.bench.state('loginRefused')
        await place.bench.send().should.be.rejectedWith({ code: 'UNAUTHORIZED' })
      })
    })

    describe('and it is given', () => {
      const place = onServer({
        behaviour: guarded,
        config: { login: 'password' },
        credentials: { user: 'robot', password: 's3cret' },
      })
      it('is used', async () => should((await place.bench.send()).payload).equal(25))
    })

    describe('and it is wrong', () => {
      const place = onServer({
        behaviour: guarded,
        config: { login: 'password' },
        credentials: { user: 'robot', password: 'wr0ng' },
      })
      it('is shown nowhere', async () => {
        const error: unknown = await place.bench.send().catch((problem: unknown) => problem)
        await place.bench.state('loginRefused')
        const shown = JSON.stringify([
          error,
          place.bench.statuses,
          place.bench.logged('vision-device-config'),
        ])
        shown.should.containEql('login')
        shown.should.not.containEql('wr0ng')
        shown.should.not.containEql(Buffer.from('robot:wr0ng').toString('base64'))
      })
    })
  })

  describe('behind a gateway that requires a token', () => {
    const place = onServer({
      config: { login: 'token' },
      credentials: { token: '${VISION_TEST_TOKEN}' },
      environment: () => ({ VISION_TEST_TOKEN: 't0ken' }),
    })

    it('receives it', async () => {
      await place.bench.send()
      place.server.received.every(({ headers }) => headers.authorization === 'Bearer t0ken').should.be.true()
    })
  })

  describe('that is not a vision device', () => {
    const place = onServer({ behaviour: reply(200, '<html>', { 'content-type': 'text/html' }) })
    it('is recognised as such', () => place.bench.state('otherDevice'))
  })

  describe('that does not exist', () => {
    const config = { address: '' }
    before(async () => Object.assign(config, { address: await closedAddress(), deadline: 0.5 }))
    const bench = useBench(fields, { config })

    it('is unreachable, which is logged once', async () => {
      await bench.state('unreachable')
      for (let call = 0; call < 2; call++) await bench.send().should.be.rejectedWith({ code: 'UNREACHABLE' })
      bench.logged('vision-device-config').length.should.equal(1)
    })
  })

  describe('that is slow with one call', () => {
    const slow: Behaviour = (response, request) =>
      (request.url.endsWith('/fps') ? silence : smallDevice())(response, request)
    const place = onServer({ behaviour: slow, config: { concurrency: 1, deadline: 0.5 } })

    it('still gets its health checks', async () => {
      const { bench, server } = place
      const call = bench.send()
      await bench.state('ready')
      const checks = () => server.received.filter(({ url }) => url.endsWith('/system')).length
      const before = checks()
      await call.should.be.rejectedWith({ code: 'TIMEOUT' })
      checks().should.be.above(before)
      bench.config.device.state.should.equal('ready')
    })
  })

  describe('with environment variables inside its address', () => {
    const place = onServer({
      config: { address: 'http://${VISION_TEST_HOST}:${VISION_TEST_PORT}' },
      environment: ({ hostname, port }) => ({ VISION_TEST_HOST: hostname, VISION_TEST_PORT: port }),
    })

    it('is found', async () => should((await place.bench.send()).payload).equal(25))
  })

  describe('with certificates', () => {
    const config = { address: '', tls: 'tls' }
    const tls = { id: 'tls', type: 'tls-config', cert: '', key: '', ca: '', verifyservercert: true }
    const tlsConfig = createRequire(__filename)('@node-red/nodes/core/network/05-tls.js') as NodeInitializer
    let server: MisbehavingServer
    before(async () => {
      server = await startMisbehavingServer(testCertificate)
      server.behave(smallDevice())
      config.address = server.url
    })
    const bench = useBench(fields, {
      config,
      flow: [tls],
      types: [tlsConfig],
      credentials: { tls: { cadata: testCertificate.cert } },
    })
    after(() => server.stop())

    it("are trusted with Node-RED's own TLS settings", async () =>
      should((await bench.send()).payload).equal(25))
  })

  for (const variant of ['single', 'multi'] as const) {
    describe(`of the variant ${variant}`, () => {
      const bench = useBench(fields, { device: { variant } })
      it('is recognised', async () => {
        await bench.state('ready')
        should(bench.config.device.connection.variant).equal(variant)
      })
    })
  }
})

describe('a device with invalid settings', () => {
  const wrong: [config: object, message: RegExp][] = [
    [{ address: '' }, /address is empty/],
    [{ address: 'http://${VISION_TEST_NONE}' }, /address.*VISION_TEST_NONE/],
    [{ address: 'ftp://device' }, /neither http/],
    [{ concurrency: 0 }, /concurrency must be a number from 1 to 64/],
    [{ queue: 'many' }, /queue/],
    [{ deadline: '' }, /deadline/],
    [{ login: 'password' }, /user is empty/],
    [{ login: 'token' }, /token is empty/],
    [{ tls: 'gone' }, /TLS settings/],
  ]
  for (const [config, message] of wrong) {
    describe(JSON.stringify(config), () => {
      const bench = useBench(fields, { config })
      it('is an error naming the setting, for every message', async () => {
        await bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT', message })
        await bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT', message })
        bench.config.device.state.should.equal('wrongSettings')
        should(bench.statuses[0]).match({ fill: 'red', text: /wrongSettings$/ })
      })
    })
  }
})

describe('a device that is disabled', () => {
  const bench = useBench(fields, { config: { d: true } })
  it('is an error for every message', () =>
    bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT', message: /No device is chosen/ }))
})

describe('several nodes on a device', () => {
  const another = (id: string) => ({ ...onTab, ...fields, id, device: 'device', wires: [] })
  const bench = useBench(fields, {
    config: { healthInterval: 60 },
    flow: [
      another('second'),
      another('third'),
      { ...onTab, id: 'status', type: 'status', scope: null, wires: [['seen']] },
      { ...onTab, id: 'seen', type: 'helper', wires: [] },
    ],
  })

  it('share one health check', async () => {
    await bench.state('ready')
    bench.device
      .calls()
      .filter(({ operation }) => operation === 'getSystem')
      .length.should.equal(1)
    Object.keys(bench.config.users).should.eql(['test', 'second', 'third'])
  })

  it("pass the device's own status to the Status nodes of their flow", async () => {
    const told = new Promise<NodeMessage>((resolve) =>
      bench.helperNode('seen').on('input', (message) => {
        const { source } = message['status'] as { source: { type: string } }
        if (source.type === 'vision-device-config') resolve(message)
      }),
    )
    bench.device.setScenario({ offline: true })
    await bench.send().should.be.rejectedWith({ code: 'UNREACHABLE' })
    should((await told)['status']).match({
      fill: 'red',
      text: /unreachable$/,
      vision: { word: 'unreachable' },
    })
    bench.device.setScenario({ offline: false })
  })
})
