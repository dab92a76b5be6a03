import 'should'
import type { FlowNode } from '../support/example'
import { useExample } from '../support/example'
import { newBroker, type TestBroker } from '../support/mosquitto'

describe('the example cell-agent', function () {
  this.timeout(120_000)
  let broker: TestBroker
  before(async () => {
    broker = await newBroker()
    await broker.start()
  })
  after(() => broker.stop())
  const atBroker = (nodes: FlowNode[]) =>
    nodes.map((node) => (node.type === 'mqtt-broker' ? { ...node, port: String(broker.port) } : node))
  const example = useExample('cell-agent', [8196], atBroker)

  it('publishes the state of the cell', () => example().prints(/state\][^]*device: 'left'[^]*link: 'ready'/))

  it('reads, sets and runs a flow as a centre asks, and refuses what is not allowed', async () => {
    const { follows } = example()
    await follows('agent-read', /answer\][^]*state: 'done'[^]*fps: 25/)
    await follows('agent-set', /answer\][^]*state: 'done'[^]*fps: 10/)
    await follows('agent-flow', /answer\][^]*state: 'done'[^]*light: true/)
    await follows('agent-reset', /answer\][^]*state: 'refused'[^]*code: 'NOT_ALLOWED'/)
  })
})
