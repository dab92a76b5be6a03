import should from 'should'
import type { SysInfo } from '../../lib/contract'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createServer as createHttpServer } from 'node:http'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { nextFreePort, portUse } from '../../nodes/virtual-device/port'
import { statusOf } from '../../nodes/virtual-device/virtual-device'
import { useBench } from '../support/bench'
import { listening, type Listening } from '../support/listening'

const fields = { type: 'vision-virtual-device', port: 0 }

interface State {
  url: string
  page: string
  ports: { images?: { port: number; instead_of?: number } }
  running: boolean
  variant: string
  scenario: { latency_ms: number; offline: boolean }
}

describe('virtual-device', () => {
  const bench = useBench({ ...fields, nodePrefix: 'xy_', variant: 'multi', scenario: '{"latency_ms": 5}' })
  const state = async (message = {}) => (await bench.send({ payload: {}, ...message })).payload as State
  const names = async (url: string) => {
    const nodes = (await (await fetch(`${url}/api/v2/pipelines/1/nodes`)).json()) as { name: string }[]
    return nodes.map(({ name }) => name)
  }

  it('starts with the flow and reports its address', async () => {
    const { url, running, variant, scenario } = await state()
    running.should.be.true()
    variant.should.equal('multi')
    scenario.latency_ms.should.equal(5)
    url.should.match(/^http:\/\/127\.0\.0\.1:\d+$/)
    ;(await names(url)).should.containEql('xy_camera')
  })

  it('reports the port of its images, which a real device has beside that of its address', async () => {
    const { ports } = await state()
    const port = ports.images?.port ?? 0
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
  })

  it('reports the address of its page, which shows a picture', async () => {
    const { url, page } = await state()
    page.should.equal(`${url}/virtual/`)
    ;(await (await fetch(page)).text()).should.containEql('<title>Virtual device</title>')
    const picture = await fetch(`${page}picture?part=depth`)
    should(picture.headers.get('content-type')).equal('image/bmp')
    Buffer.from(await picture.arrayBuffer())
      .toString('latin1', 0, 2)
      .should.equal('BM')
  })

  it('shows its address', async () => {
    const { url } = await state()
    should(bench.statuses.at(-1)).match({
      fill: 'green',
      vision: { word: 'running', count: url.replace('http://', '') },
    })
  })

  it('merges a scenario', async () => {
    const { scenario } = await state({ topic: 'scenario', payload: { latency_ms: 7 } })
    scenario.latency_ms.should.equal(7)
  })

  it('reports an invalid scenario, and applies nothing of it', async () => {
    await bench
      .send({ payload: { latency_ms: 9, weather: 'rain' } })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /weather/ })
    ;(await state()).scenario.latency_ms.should.equal(7)
    await bench
      .send({ payload: 5 })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /contains no scenario/ })
  })

  it('recognises its topics, and accepts no other one as a scenario', async () => {
    for (const topic of ['stpo', 'Stop', 'cell 1'])
      await bench.send({ topic, payload: { latency_ms: 9 } }).should.be.rejectedWith({
        code: 'INVALID_INPUT',
        message: new RegExp(`"${topic}".*start, stop, scenario`),
      })
    ;(await state({ topic: '' })).scenario.latency_ms.should.equal(7)
  })

  it('is not green while it is offline', async () => {
    await state({ payload: { offline: true } })
    should(bench.statuses.at(-1)).match({ fill: 'grey', text: /offline$/ })
    await state({ payload: { offline: false } })
    should(bench.statuses.at(-1)).match({ fill: 'green' })
  })

  it('stops and starts by topic', async () => {
    const { url } = await state()
    const stopped = await state({ topic: 'stop' })
    stopped.running.should.be.false()
    should(stopped.url).be.undefined()
    await fetch(url).should.be.rejected()
    should(bench.statuses.at(-1)).match({ fill: 'grey', text: /stopped$/, vision: { word: 'stopped' } })
    await bench
      .send({ payload: { latency_ms: 1 } })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /not running/ })

    const started = await state({ topic: 'start' })
    started.running.should.be.true()
    // It begins anew, with the scenario of the dialog.
    started.scenario.latency_ms.should.equal(5)
  })

  it('ends with the flow', async () => {
    const { url } = await state()
    await bench.deploy({ name: 'again' })
    await fetch(url).should.be.rejected()
  })
})

describe('virtual-device on a port in use', () => {
  let other: Listening
  const taken = { ...fields, port: 0 }
  before(async () => {
    other = await listening(createServer((socket) => socket.destroy()))
    taken.port = other.port
  })
  const bench = useBench(taken)

  it('reports it, and starts when the port is free', async () => {
    await bench.send({ topic: 'start' }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: new RegExp(
        `could not start\\. Port ${taken.port} is used by another program\\. Port \\d+ is free: choose it`,
      ),
    })
    should(bench.statuses.at(-1)).match({ fill: 'red', text: /otherPortFree$/ })

    await other.stop()
    should((await bench.send({ topic: 'start' })).payload).have.property('running', true)
  })
})

describe('virtual-device with an invalid setting', () => {
  for (const [wrong, message] of [
    [{ scenario: '{' }, /scenario is not valid JSON/],
    [{ scenario: '{"weather": 1}' }, /weather/],
    [{ port: 'many' }, /port/],
    [{ nodePrefix: '${VISION_TEST_NONE}' }, /VISION_TEST_NONE/],
  ] as const) {
    describe(JSON.stringify(wrong), () => {
      const bench = useBench({ ...fields, ...wrong })
      it('does not start and says why', () =>
        bench.send({ topic: 'start' }).should.be.rejectedWith({ code: 'INVALID_INPUT', message }))
    })
  }
})

describe('virtual-device on the port of another virtual device', () => {
  let other: VirtualDevice
  const taken = { ...fields }
  before(async () => {
    other = await startVirtualDevice({ port: 0, serial: 'A-1234' })
    taken.port = other.port
  })
  after(() => other.stop())
  const bench = useBench(taken)

  it('says which one, and which port is free', async () => {
    const message = (await bench.send({ topic: 'start' }).catch((error: unknown) => error)) as Error
    should(message).match({
      code: 'INVALID_INPUT',
      message: new RegExp(
        `^The virtual device could not start\\. Port ${other.port} is used by another virtual device ` +
          `\\(serial number A-1234\\)\\. Port \\d+ is free: choose it in the node's settings\\.$`,
      ),
    })
    const [, free] = /Port (\d+) is free/.exec(message.message) ?? []
    Number(free).should.be.within(other.port + 1, other.port + 20)
    should(bench.statuses.at(-1)).match({ fill: 'red', text: /otherPortFree$/ })
    // It reports what it is even while its API is offline, but then without its serial number.
    other.setScenario({ offline: true })
    await bench.send({ topic: 'start' }).should.be.rejectedWith({
      message: /used by another virtual device\. Port \d+ is free/,
    })
  })
})

describe('virtual-device of a given model and firmware', () => {
  const given = { model: 'cam3d-160', imageVersion: 'xyz-v25.4.2-release', serial: 'AB-12' }
  const bench = useBench({ ...fields, ...given })

  it('has host name and image versions in their form', async () => {
    const { payload } = await bench.send({ payload: {} })
    const { url } = payload as { url: string }
    const system = (await (await fetch(`${url}/api/v2/system`)).json()) as SysInfo
    system.should.match({
      hostname: 'cam3d-160-AB-12',
      firmware: { active_image: { image_version: 'xyz-v25.4.2-release' } },
    })
  })

  it('says which of them is not valid', async () => {
    for (const [wrong, sentence] of [
      [{ model: 'a b' }, /model must be/],
      [{ imageVersion: 'v1' }, /image version must have the form/],
    ] as const) {
      await bench.deploy({ ...given, ...wrong })
      await bench
        .send({ topic: 'start' })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: sentence })
    }
  })
})

describe('virtual-device without images', () => {
  const bench = useBench({ ...fields, imagePort: 'off' })

  it('has no port for them', async () => {
    should(((await bench.send({ payload: {} })).payload as State).ports).eql({})
  })
})

describe('virtual-device with a port for its images', () => {
  let other: Listening
  const taken = { ...fields, imagePort: '' }
  before(async () => {
    other = await listening(createServer((socket) => socket.destroy()))
    taken.imagePort = String(other.port)
  })
  after(() => other.stop())
  const bench = useBench(taken)

  it('does not start while that port is in use, and says so', async () => {
    await bench.send({ topic: 'start' }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: new RegExp(`could not start\\. Port ${other.port} .* set for the images, is in use`),
    })
  })
})

describe('the status of a virtual device whose images are elsewhere', () => {
  it('says where', () => {
    const running = { running: true, url: 'http://127.0.0.1:8080', scenario: { offline: false } } as object
    const status = (images: object) =>
      statusOf({ ...running, ports: { images } } as Parameters<typeof statusOf>[0])
    status({ port: 50_061, instead_of: 50_051 }).should.eql({ word: 'running', count: ':8080 + :50061' })
    status({ port: 50_051 }).should.eql({ word: 'running', count: '127.0.0.1:8080' })
  })
})

describe('the status of a virtual device without its port', () => {
  it('says which one is free', () =>
    statusOf({ running: false, portInUse: true, freePort: 8081 }).should.eql({
      word: 'otherPortFree',
      count: 8081,
    }))
})

describe('who uses a port', () => {
  const { signal } = new AbortController()
  const endless = createHttpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (response.write(' '.repeat(65_536)) && !response.destroyed);
    }
    response.on('drain', more)
    more()
  })
  const elsewhere = createHttpServer((_request, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/virtual/scenario' }).end()
  })
  const odd = createHttpServer((_request, response) => response.end('[]'))

  for (const [name, server] of Object.entries({ endless, elsewhere, odd }))
    it(`a server whose answer is ${name} is another program`, async () => {
      const { port, stop } = await listening(server)
      try {
        should(await portUse('127.0.0.1', port, signal)).eql({ by: 'program' })
      } finally {
        await stop()
      }
    })

  it('the question ends at once with its signal', async () => {
    const asked = new AbortController()
    const { port, stop } = await listening(createServer(() => asked.abort()))
    try {
      should(await portUse('127.0.0.1', port, asked.signal)).eql({ by: 'program' })
    } finally {
      await stop()
    }
  })

  it('nobody in the network is asked, and port 0 is always free', async () => {
    const { port, stop } = await listening(createServer())
    try {
      for (const host of ['vision.example', '127.0.0.1.example'])
        should(await portUse(host, port, signal)).eql({ by: 'unknown' })
      should(await nextFreePort('vision.example', port, new Set())).be.undefined()
      should(await portUse('127.0.0.1', 0, signal)).eql({ by: 'nobody' })
    } finally {
      await stop()
    }
  })

  it('the next free port is one of the next twenty that no other node has', async () => {
    const { port, stop } = await listening(createServer())
    const above = Array.from({ length: 20 }, (_, index) => port + 1 + index)
    try {
      should(await nextFreePort('127.0.0.1', port, new Set(above))).be.undefined()
      const free = await nextFreePort('127.0.0.1', port, new Set(above.slice(0, 2)))
      above.slice(2).should.containEql(free)
      should(await nextFreePort('127.0.0.1', 65_535, new Set())).be.undefined()
    } finally {
      await stop()
    }
  })
})
