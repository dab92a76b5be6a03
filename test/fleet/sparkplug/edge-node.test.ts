import should from 'should'
import { EdgeNode, readHostState, sparkplugIds } from '../../../lib/fleet/sparkplug/edge-node'
import { readPayload } from '../../../lib/fleet/sparkplug/payload'
import { writesIn } from '../../../lib/fleet/sparkplug/metrics'

import { readSparkplug, writeSparkplug, type SparkplugMessage } from './decoded'
import { runSession } from './session-model'
import { sessionProblems } from './session-problems'

const runs = process.env.CELLSIGHT_LONG ? 2000 : 100

describe('an edge node of Sparkplug B', () => {
  it('keeps births, deaths and their numbers together through cuts, restarts and lost requests', function () {
    this.timeout(runs * 500)
    let [cuts, restarts, sessions] = [0, 0, 0]
    for (let seed = 1; seed <= runs; seed++) {
      const run = runSession(seed, 400)
      // A restart or a deploy in between may lose a request.
      should(sessionProblems(run.connections, 20)).eql([], `seed ${seed}`)
      should(run.phase).equal('online', `seed ${seed}`)
      should(run.connections.at(-1)?.sent.some(({ kind }) => kind === 'NBIRTH')).equal(true, `seed ${seed}`)
      cuts += run.cuts
      restarts += run.restarts
      sessions += run.connections.length
    }
    should(cuts).be.above(5 * runs)
    should(restarts).be.above(5 * runs)
    should(sessions).be.above(10 * runs)
  })

  it('counts messages and connections from 255 to 0', () => {
    const said: SparkplugMessage[] = []
    const numbers: number[] = []
    const edge: EdgeNode = new EdgeNode({
      ...{ group: 'north', edge: 'c1', last: 254 },
      leave: (request) => edge.left(request),
      connect: ({ number }) => {
        numbers.push(number)
        edge.connected(number)
      },
      publish: (topic, payload) => said.push(readSparkplug(topic, payload, {})),
    })
    edge.start()
    edge.disconnected()
    should(numbers).eql([255, 0])
    said.length = 0
    edge.rebirth()
    for (let value = 0; value < 600; value++)
      edge.update([{ name: 'Count', type: 'Int32', value: -value }], [])
    should(said.map(({ seq }) => seq)).eql(said.map((_, index) => index % 256))
    should(said).have.length(600)
    should(said.at(-1)?.metrics[0]?.value).equal(-599)
  })

  it('writes unknown values, large numbers and texts as the published library reads them', () => {
    const said: SparkplugMessage[] = []
    const edge: EdgeNode = new EdgeNode({
      ...{ group: 'north', edge: 'c1' },
      leave: (request) => edge.left(request),
      connect: ({ number }) => edge.connected(number),
      publish: (topic, payload) => said.push(readSparkplug(topic, payload, {})),
    })
    edge.update(
      [
        { name: 'Text', type: 'String', value: 'äöü 世界 '.repeat(50) },
        { name: 'None', type: 'String', value: null },
        { name: 'Time', type: 'DateTime', value: 1_790_000_000_000 },
        { name: 'Half', type: 'Double', value: -0.5 },
        { name: 'Yes', type: 'Boolean', value: true },
      ],
      [],
    )
    edge.start()
    const values = Object.fromEntries(
      (said[0]?.metrics ?? []).map(({ name, value, type }) => [String(name), [type, value]]),
    )
    should(values['Text']).eql(['String', 'äöü 世界 '.repeat(50)])
    should(values['None']).eql(['String', null])
    should(values['Time']?.map(String)).eql(['DateTime', '1790000000000'])
    should(values['Half']).eql(['Double', -0.5])
    should(values['Yes']).eql(['Boolean', true])
  })
})

describe('messages of Sparkplug hosts', () => {
  it('are read with values of all plain types', () => {
    const bytes = writeSparkplug({
      timestamp: 5,
      metrics: [
        { name: 'a', type: 'Int8', value: -1 },
        { name: 'b', type: 'UInt32', value: 4_000_000_000 },
        { name: 'c', type: 'Float', value: 0.5 },
        { name: 'd', type: 'Double', value: -0.25 },
        { name: 'e', type: 'Boolean', value: false },
        { name: 'f', type: 'String', value: 'x' },
        { name: 'g', type: 'Int64', value: 7 },
        { name: 'h', type: 'Bytes', value: new Uint8Array([1, 2]) },
      ],
    })
    const read = readPayload(bytes)
    should(read?.timestamp).equal(5)
    should(read?.metrics.map(({ value }) => value)).eql([
      ...[-1, 4_000_000_000, 0.5, -0.25, false, 'x', 7],
      undefined,
    ])
  })

  it('are refused as a whole where they are damaged or too long', () => {
    const bytes = writeSparkplug({ timestamp: 5, metrics: [{ name: 'a', type: 'String', value: 'xyz' }] })
    for (let length = 1; length < bytes.length; length++) {
      const read = readPayload(bytes.subarray(0, length))
      should(read === undefined || read.metrics.length === 0).equal(true, `${length} bytes`)
    }
    should(readPayload(Buffer.alloc(300_000))).equal(undefined)
    should(readPayload(Buffer.from('0a'.repeat(2000), 'hex'))).equal(undefined)
  })

  it('write what is offered, and nothing else', () => {
    const offered = [
      { name: 'Parameters/dev_camera/fps', type: 'Double', value: 25, writable: true },
      { name: 'Services/dev_camera/trigger', type: 'Boolean', value: false, writable: true },
      { name: 'Link', type: 'String', value: 'ready', writable: false },
    ] as const
    const fps = { name: 'Parameters/dev_camera/fps', value: 5 }
    const trigger = { name: 'Services/dev_camera/trigger', value: true }
    should(writesIn([trigger, fps], offered).writes).eql([
      { do: 'set-parameters', args: { parameters: { dev_camera: { fps: 5 } } } },
      { do: 'call-service', args: { node: 'dev_camera', service: 'trigger' } },
    ])
    should(writesIn([{ ...trigger, value: false }], offered).writes).eql([])
    for (const wrong of [
      { name: 'Link', value: 'x' },
      { name: 'Parameters/dev_camera/__proto__', value: 1 },
      { value: 1 },
      { ...fps, value: null },
      { ...fps, value: NaN },
      { ...fps, value: 2n ** 60n },
    ])
      should(writesIn([fps, wrong], offered).problem).equal('name' in wrong ? wrong.name : '')
  })

  it('say whether the host is there, in both versions', () => {
    should(readHostState(Buffer.from('{"online":true,"timestamp":7}'))).eql({ online: true, timestamp: 7 })
    should(readHostState(Buffer.from('OFFLINE'))).eql({ online: false })
    should(readHostState('ONLINE')).eql({ online: true })
    for (const other of ['', '{}', '[]', 'null', '{"online":1}', 'x'.repeat(2000)])
      should(readHostState(Buffer.from(other))).equal(undefined)
  })

  it('name devices by one level of a topic, each by another', () => {
    const names = ['left', 'Left', 'a/b', 'a+b', 'a-b', '#']
    should([...sparkplugIds(names).values()]).eql(['left', 'Left-2', 'a-b', 'a-b-2', 'a-b-3', '-'])
  })
})
