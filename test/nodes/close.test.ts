import { EventEmitter } from 'node:events'
import type { Node } from 'node-red'
import RED from 'node-red'
import should from 'should'
import { handleInput } from '../../nodes/shared/handle-input'
import { NoAnswer } from '../../nodes/shared/outcome'
import { useBench, type Bench } from '../support/bench'
import { eventually } from '../support/eventually'

const camera = { node: 'dev_camera', parameter: 'fps' }

/** Log lines about messages that ended with the node. */
const lines = (bench: Bench, type: string) =>
  bench
    .logged(type)
    .filter((line): line is string => typeof line === 'string' && /ended while|Schließen/.test(line))

/** Sends messages and deploys the flow when the device has received the first one. */
async function deployMeanwhile(bench: Bench, operation: string, count: number) {
  // The first message loads the device's parameter records.
  await bench.send({ payload: 4 })
  bench.device.setScenario({ latency_ms: 1000 })
  const before = bench.device.calls().length
  for (let each = 0; each < count; each++) void bench.send({ payload: 5 + each }).catch(() => undefined)
  await eventually(async () => {
    const calls = bench.device.calls().slice(before)
    calls.some((call) => call.operation === operation).should.be.true()
    return Promise.resolve()
  })
  await bench.deploy({ name: `deployed ${before}` }, 'full')
  bench.device.setScenario({ latency_ms: 0 })
}

describe('a full deploy with messages in progress', () => {
  const bench = useBench({ type: 'vision-set-parameter', ...camera })

  it('leaves one line in the log with their number, codes, and whether they changed something', async () => {
    await deployMeanwhile(bench, 'setParameter', 3)
    lines(bench, 'vision-set-parameter').should.have.length(1)
    should(lines(bench, 'vision-set-parameter')[0]).match(
      /: 3 \(ABORTED 3\)\. Of these, 1 changed or may have changed something/,
    )
  })

  it('leaves none if nothing is in progress', async () => {
    const before = lines(bench, 'vision-set-parameter').length
    await bench.deploy({ name: 'again' }, 'full')
    lines(bench, 'vision-set-parameter').length.should.equal(before)
  })
})

describe('a full deploy with reads in progress', () => {
  const settings = () => ({ lang: 'de' })
  const bench = useBench({ type: 'vision-get-parameter', ...camera }, { settings })

  it("reports that they changed nothing, in Node-RED's language", async () => {
    await deployMeanwhile(bench, 'getParameter', 2)
    lines(bench, 'vision-get-parameter').should.have.length(1)
    should(lines(bench, 'vision-get-parameter')[0]).match(
      /: 2 \(ABORTED 2\)\. Sie haben am Gerät nichts geändert/,
    )
  })
})

describe('a message in progress while none waits', () => {
  const bench = useBench({ type: 'vision-get-parameter', ...camera }, { config: { concurrency: 1 } })

  it('is not shown as waiting', async () => {
    await bench.state('ready')
    bench.device.setScenario({ latency_ms: 700 })
    const first = bench.send()
    let ended = false
    const second = bench.send().finally(() => (ended = true))
    await bench.status('waiting')
    await first
    await bench.status('calling')
    ended.should.be.false()
    await second
  })
})

describe('an urgent message', () => {
  it('is part of the close', async () => {
    const node = new EventEmitter()
    const ended: string[] = []
    let release: () => void = () => undefined
    handleInput(
      RED as never,
      Object.assign(node, { warn: () => undefined }) as unknown as Node,
      { inputs: 1, changes: false },
      { atOnce: 1, room: 1, urgent: () => true },
      async () => {
        await new Promise<void>((resolve) => (release = resolve))
        return new NoAnswer()
      },
    )
    node.emit(
      'input',
      { topic: 'abort' },
      () => undefined,
      () => ended.push('message'),
    )
    const closed = new Promise<void>((resolve) => {
      node.emit('close', () => {
        ended.push('node')
        resolve()
      })
    })
    // More turns than anything that is not awaited would take.
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    ended.should.eql([])
    release()
    await closed
    ended.should.eql(['message', 'node'])
  })
})
