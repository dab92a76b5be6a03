import should from 'should'
import { createServer } from 'node:net'
import { useBench } from '../support/bench'
import { listening, type Listening } from '../support/listening'

const fields = { type: 'vision-virtual-device', port: 0 }

interface State {
  url: string
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

  it('starts with the flow and tells where it is', async () => {
    const { url, running, variant, scenario } = await state()
    running.should.be.true()
    variant.should.equal('multi')
    scenario.latency_ms.should.equal(5)
    url.should.match(/^http:\/\/127\.0\.0\.1:\d+$/)
    ;(await names(url)).should.containEql('xy_camera')
  })

  it('shows its address', async () => {
    const { url } = await state()
    should(bench.statuses.at(-1)).match({ fill: 'green', text: url.replace('http://', '') })
  })

  it('merges a scenario', async () => {
    const { scenario } = await state({ topic: 'scenario', payload: { latency_ms: 7 } })
    scenario.latency_ms.should.equal(7)
  })

  it('tells what is wrong with a scenario, and applies nothing of it', async () => {
    await bench
      .send({ payload: { latency_ms: 9, weather: 'rain' } })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /weather/ })
    ;(await state()).scenario.latency_ms.should.equal(7)
    await bench
      .send({ payload: 5 })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /contains no scenario/ })
  })

  it('knows its topics, and takes no other one for a scenario', async () => {
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
    should(bench.statuses.at(-1)).match({ fill: 'grey', text: /stopped$/ })
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

describe('virtual-device on a port that is taken', () => {
  let other: Listening
  const taken = { ...fields, port: 0 }
  before(async () => {
    other = await listening(createServer())
    taken.port = other.port
  })
  const bench = useBench(taken)

  it('says so, and starts when the port is free', async () => {
    await bench.send({ topic: 'start' }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: new RegExp(`could not start.*${taken.port}`),
    })
    should(bench.statuses.at(-1)).match({ fill: 'red', text: /portInUse$/ })

    await other.stop()
    should((await bench.send({ topic: 'start' })).payload).have.property('running', true)
  })
})

describe('virtual-device with a wrong setting', () => {
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
