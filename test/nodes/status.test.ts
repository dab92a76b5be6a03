import type { Node, NodeAPI } from 'node-red'
import should from 'should'
import { StatusLine } from '../../nodes/shared/status'
import { VisionError } from '../../lib'
import type { OutcomeSummary } from '../../nodes/shared/outcome'
import type { VirtualDeviceOptions } from '../../virtual-device'
import { Bench, onTab, useBench } from '../support/bench'

interface ShownStatus {
  text: string
  vision?: object
}

/** A status line with what it shows. */
const setup = () => {
  const shown: string[] = []
  const looks: ShownStatus[] = []
  let until: { text: RegExp; resolve: () => void } | undefined
  const RED = {
    comms: {
      publish: (topic: string, parts: object, retain: boolean) => published.push({ topic, parts, retain }),
    },
    _: (key: string, { count }: { count: string }) => `${key.split('.').at(-1) ?? ''} ${count}`,
  }
  const published: object[] = []
  const node = {
    id: 'n1',
    status: (look: ShownStatus) => {
      looks.push(look)
      shown.push(look.text)
      if (until?.text.test(look.text)) until.resolve()
    },
  }
  return {
    shown,
    looks,
    published,
    line: new StatusLine(RED as unknown as NodeAPI, node as unknown as Node),
    shows: (text: RegExp) =>
      text.test(shown.at(-1) ?? '')
        ? Promise.resolve()
        : new Promise<void>((resolve) => (until = { text, resolve })),
  }
}

describe('the status line of a node', () => {
  it('shows the first state at once and the last of a burst soon', async () => {
    const { shown, line, shows } = setup()
    line.link('ready')
    shown.should.eql(['ready 0'])
    for (let waiting = 1; waiting <= 1000; waiting++) line.work(1, waiting)
    const last = shows(/^waiting 1000$/)
    shown.length.should.equal(1)
    await last
    shown.should.eql(['ready 0', 'waiting 1000'])
    line.close()
  })

  const timeout = new VisionError({ code: 'TIMEOUT', key: 'timeout' })
  const answer = (milliseconds: number, summary: Partial<OutcomeSummary> = {}) => ({
    summary: { text: 'answered', ...summary },
    milliseconds,
  })
  const ends = (word: string, took = '') => new RegExp(`^${word} 0${took} \\d\\d:\\d\\d:\\d\\d$`)

  it('shows how the last message ended, how long it took and when', async () => {
    const { shown, line, shows } = setup()
    line.link('ready')
    line.left(undefined, answer(340.4))
    await shows(ends('done', ' 340 ms'))
    line.left(undefined, answer(2440, { state: 'warning' }))
    await shows(ends('doneWithWarnings', ' 2.4 s'))
    line.left(undefined, answer(720_000, { word: 'restored' }))
    await shows(ends('restored', ' 12 min'))
    shown.length.should.equal(4)
    line.close()
  })

  it('shows continuous work with its numbers and a remark, after a failure has passed', async () => {
    const { shown, line, shows, looks } = setup()
    const remark = (count: number) => ({ word: 'plcMissed', count }) as const
    line.left(timeout)
    line.background('plcReady', 0, { after: '· 7 · 43 ms', remark: remark(1) })
    shown.length.should.equal(1)
    line.left(undefined)
    await shows(/^plcReady 0 · 7 · 43 ms · plcMissed 1$/)
    line.background('plcReady', 0, { after: '· 7 · 43 ms', remark: remark(2) })
    await shows(/^plcReady 0 · 7 · 43 ms · plcMissed 2$/)
    should(looks.at(-1)?.vision).containEql({ after: '· 7 · 43 ms', remark: remark(2) })
    line.close()
  })

  it('keeps a failure across states of the link until the next success', async () => {
    const { shown, line, shows } = setup()
    line.link('ready')
    line.left(timeout)
    await shows(ends('TIMEOUT'))
    line.link('unreachable')
    await shows(/^unreachable 0$/)
    line.link('ready')
    await shows(ends('TIMEOUT'))
    line.left(undefined, answer(1))
    await shows(ends('done', ' 1 ms'))
    line.link('starting')
    await shows(/^starting 0$/)
    line.link('ready')
    await shows(ends('done', ' 1 ms'))
    shown.length.should.equal(7)
    line.close()
  })

  it('shows a failure that occurred while the link was not good', async () => {
    const { line, shows } = setup()
    line.link('unreachable')
    line.left(timeout)
    await shows(ends('TIMEOUT'))
    line.link('starting')
    await shows(/^starting 0$/)
    line.close()
  })

  it('shows that calls wait for the device, whatever waits behind them and failed before', async () => {
    const { line, shows } = setup()
    line.link('ready')
    line.left(timeout)
    line.work(1, 3)
    await shows(/^waiting 3$/)
    line.link('unreachable')
    await shows(/^waitsForDevice 0$/)
    line.link('starting')
    await shows(/^starting 0$/)
    line.link('ready')
    await shows(/^waiting 3$/)
    line.close()
  })

  it('shows which names are not on the device, until a message finds them', async () => {
    const { line, shows } = setup()
    line.link('ready')
    line.missing('dev_x')
    await shows(/^notOnDevice dev_x$/)
    line.left(undefined, answer(5))
    await shows(ends('done', ' 5 ms'))
    line.close()
  })

  it('gives the editor the word itself, whatever the language', async () => {
    const { looks, published, line, shows } = setup()
    line.link('ready')
    line.left(undefined, answer(5))
    await shows(ends('done', ' 5 ms'))
    const { vision } = looks.at(-1) ?? {}
    should(vision).match({ word: 'done', after: /^5 ms \d\d:/ })
    should(published.at(-1)).match({ topic: 'vision-status/n1', parts: { word: 'done' }, retain: true })
    line.close()
    should(published.at(-1)).match({ topic: 'vision-status/n1', parts: {}, retain: false })
  })
})

describe('the status line of a procedure', () => {
  it('shows its progress between messages, while the device is ready', async () => {
    const { shown, line, shows } = setup()
    line.link('ready')
    line.rest('poses', 3)
    await shows(/^poses 3$/)
    line.link('unreachable')
    await shows(/^unreachable 0$/)
    line.link('ready')
    await shows(/^poses 3$/)
    line.rest()
    await shows(/^ready 0$/)
    shown.should.eql(['ready 0', 'poses 3', 'unreachable 0', 'poses 3', 'ready 0'])
    line.close()
  })
})

describe('the status of a node on a device', () => {
  const bench = useBench({ type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' })

  it('is green only while the device answers', async () => {
    await bench.status('ready')
    should(bench.statuses.at(-1)).match({ fill: 'green', shape: 'dot' })

    bench.device.setScenario({ offline: true })
    await bench.status('unreachable')
    const since = bench.statuses.length
    await bench.send().should.be.rejectedWith({ code: 'UNREACHABLE' })
    await bench.status('UNREACHABLE')
    bench.device.setScenario({ offline: false })
    await bench.state('ready')
    bench.statuses
      .slice(since)
      .every(({ fill }) => fill !== 'green')
      .should.be.true()

    await bench.send()
    await bench.status('done')
    should(bench.statuses.at(-1)).match({ fill: 'green', text: /\d ms \d\d:\d\d:\d\d$/ })
  })

  it('distinguishes a successful restore from every other success', async () => {
    await bench.deploy({
      type: 'vision-backup',
      action: 'restore',
      confirmed: true,
      sourceType: 'msg',
      source: 'payload',
    })
    await bench.send({ payload: { load_carriers: [] } })
    await bench.status('restored')
  })
})

describe('the status of a node whose names are not on the device', () => {
  const missing = async (fields: object, device: VirtualDeviceOptions = {}) => {
    const bench = new Bench(
      { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps', ...fields },
      { device },
    )
    await bench.start()
    try {
      await bench.status('notOnDevice')
      should(bench.statuses.at(-1)).match({ fill: 'red' })
      return bench.statuses.at(-1)?.vision?.count
    } finally {
      await bench.stop()
    }
  }

  it('names the node', async () => should(await missing({ node: 'dev_x' })).equal('dev_x'))
  it('names each of several', async () =>
    should(await missing({ which: 'nodes', node: 'dev_x, dev_camera, dev_y' })).equal('dev_x, dev_y'))
  it('names the parameter', async () => should(await missing({ parameter: 'speed' })).equal('speed'))
  it('names the service', async () =>
    should(await missing({ type: 'vision-call-service', service: 'fly' })).equal('fly'))
  it('names the pipeline', async () => should(await missing({ pipeline: '3' })).equal('pipeline 3'))

  it('names the stream', async () => {
    should(await missing({ type: 'vision-stream-destination', action: 'list', stream: 'poses' })).equal(
      'poses',
    )
    const kept = { action: 'keep', destination: '127.0.0.1:40000' }
    should(await missing({ type: 'vision-stream-destination', ...kept, stream: 'poses' })).equal('poses')
    should(await missing({ type: 'vision-stream-receive', stream: 'poses' })).equal('poses')
  })
  it('names a stream on a device that has none', async () =>
    should(await missing({ type: 'vision-stream-receive', stream: 'pose' }, { variant: 'multi' })).equal(
      'pose',
    ))

  const writes = { type: 'vision-set-parameter', node: 'dev_gone', parameter: 'gone', valueType: 'json' }
  it('names parameters of a table', async () =>
    should(
      await missing({ ...writes, node: 'dev_camera', which: 'several', value: '{"fps":1,"fbs":2}' }),
    ).equal('fbs'))
  it('names nodes and parameters of values for several nodes, and no field that does not show', async () =>
    should(
      await missing({
        ...writes,
        which: 'nodes',
        value: '{"dev_camera":{"fps":1,"fbs":2},"dev_x":{"a":1}}',
      }),
    ).equal('dev_camera fbs, dev_x'))
  it('ignores a field that does not show', async () => {
    should(await missing({ which: 'all', node: 'dev_x', parameter: 'gone' })).equal('dev_x')
    should(await missing({ which: 'nodes', node: 'dev_x, dev_camera', parameter: 'gone' })).equal('dev_x')
  })
  it('names nodes and parameters of JSON', async () =>
    should(
      await missing({ which: 'nodes', nodeType: 'json', node: '{"dev_camera":["fps","fbs"],"dev_x":[]}' }),
    ).equal('dev_camera fbs, dev_x'))
  it('names the values of environment variables', async () =>
    should(await missing({ nodeType: 'env', node: 'dev_${NR_NODE_ID}' })).equal('dev_test'))
  it('names a node that is in no pipeline, if a message may name the pipeline', async () =>
    should(await missing({ pipeline: '', node: 'dev_x' })).equal('dev_x'))

  it('costs two requests for all nodes on a device, and none if no name is fixed', async () => {
    const flow = [...Array(20).keys()].map((index) => ({
      ...onTab,
      id: `further${index}`,
      type: 'vision-get-parameter',
      device: 'device',
      node: index % 2 ? 'dev_x' : 'xy_camera',
      parameter: 'fps',
      wires: [],
    }))
    const bench = new Bench({ type: 'vision-get-parameter', node: 'dev_x', parameter: 'fps' }, { flow })
    await bench.start()
    await bench.status('notOnDevice')
    const asked = bench.device.calls().map(({ operation }) => operation)
    asked.filter((operation) => operation === 'listNodes').length.should.equal(1)
    asked.filter((operation) => operation === 'listGlobalNodes').length.should.equal(1)
    await bench.stop()
  })
})
