import should from 'should'
import type { NodeMessage } from 'node-red'
import { onTab, useBench } from '../support/bench'

const fields = { type: 'vision-get-parameter', node: 'dev_camera', parameter: '' }
const camera = { ...fields, type: 'vision-set-parameter', parameter: 'fps' }

describe('a thousand messages on a bad connection', () => {
  const flow = [
    { ...onTab, id: 'complete', type: 'complete', scope: ['test'], wires: [['completed']] },
    { ...onTab, id: 'completed', type: 'helper', wires: [] },
  ]
  const bench = useBench(
    { ...fields },
    {
      flow,
      config: { queue: 1000, concurrency: 8 },
      device: { scenario: { drop_connections: 0.05, latency_jitter_ms: 2 } },
    },
  )

  it('end in exactly one output and one done, or in one error', async () => {
    const ends = new Map<string, string[]>()
    const note = (what: string) => (message: NodeMessage) => {
      const { _msgid = '' } = message
      ends.set(_msgid, [...(ends.get(_msgid) ?? []), what])
    }
    bench.helperNode('out0').on('input', note('output'))
    bench.helperNode('completed').on('input', note('done'))
    bench.helperNode('caught').on('input', note('error'))

    const names = ['fps', 'exp_auto', 'speed', '']
    const all = Array.from({ length: 1000 }, (_, index) => bench.send({ parameter: names[index % 4] }))
    await Promise.allSettled(all)

    const kinds = [...ends.values()].map((list) => list.sort().join(' and '))
    kinds.length.should.equal(1000)
    const count = (kind: string) => kinds.filter((one) => one === kind).length
    // The device lacks half of the names.
    count('error').should.be.aboveOrEqual(500)
    count('done and output').should.be.above(300)
    should(count('error') + count('done and output')).equal(1000)
  })
})

describe('messages of one node', () => {
  const bench = useBench(
    { ...fields },
    { config: { concurrency: 16 }, device: { scenario: { latency_jitter_ms: 30 } } },
  )

  it('leave in the order in which they arrived, although the answers do not', async () => {
    const order: unknown[] = []
    bench.helperNode('out0').on('input', (message) => order.push(message['number']))
    bench.helperNode('caught').on('input', (message) => order.push(message['number']))
    const all = Array.from({ length: 60 }, (_, number) =>
      bench.send({ number, parameter: number % 5 ? 'fps' : 'speed' }),
    )
    await Promise.allSettled(all)
    order.should.eql(Array.from({ length: 60 }, (_, number) => number))
  })
})

describe('writes of one node', () => {
  const bench = useBench(
    { ...camera },
    { config: { concurrency: 16 }, device: { scenario: { latency_jitter_ms: 5 } } },
  )

  it('reach the device one after another', async () => {
    const values = Array.from({ length: 20 }, (_, index) => index + 1)
    await Promise.all(values.map((payload) => bench.send({ payload })))
    const written = bench.device
      .calls()
      .flatMap(({ operation, input }) => (operation === 'setParameter' ? [input] : []))
    written.map((input) => (input as { value: number }).value).should.eql(values)
  })
})

describe('a full queue', () => {
  const bench = useBench({ ...camera }, { config: { queue: 2 }, device: { scenario: { latency_ms: 50 } } })

  it('is reported with its size, and loses nothing', async () => {
    const ends = await Promise.allSettled([1, 2, 3, 4, 5].map((payload) => bench.send({ payload })))
    ends
      .map(({ status }) => status)
      .should.eql(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
    for (const end of ends.slice(3)) {
      should((end as PromiseRejectedResult).reason).match({
        code: 'BUSY',
        message: /^2 messages are already waiting/,
      })
    }
    should(bench.device.parameter('dev_camera', 'fps')).equal(3)
  })

  it('is shown', () =>
    bench.statuses.some(({ text, fill }) => fill === 'blue' && text?.endsWith('waiting')).should.be.true())
})

describe('a deploy in the middle of calls', () => {
  const bench = useBench(
    { ...fields, parameter: 'fps' },
    {
      device: { scenario: { latency_ms: 60_000 } },
      config: { deadline: 60 },
    },
  )

  it('ends them soon, each with an error', async () => {
    const calls = Array.from({ length: 10 }, () => bench.send())
    const ended = Promise.allSettled(calls)
    const started = performance.now()
    await bench.deploy({ name: 'renamed' }, 'nodes')
    const codes = (await ended).map((end) => (end as PromiseRejectedResult).reason as { code: string })
    should(performance.now() - started).be.below(30_000)
    codes.map(({ code }) => code).should.eql(Array(10).fill('ABORTED'))
  })
})
