import 'should'
import type { FlowNode } from '../support/example'
import { useExample } from '../support/example'
import { newBroker, type TestBroker } from '../support/mosquitto'

describe('the example cell-sparkplug', function () {
  this.timeout(120_000)
  let broker: TestBroker
  before(async () => {
    broker = await newBroker()
    await broker.start()
  })
  after(() => broker.stop())
  const atBroker = (nodes: FlowNode[]) =>
    nodes.map((node) => (node.type === 'mqtt-broker' ? { ...node, port: String(broker.port) } : node))
  const example = useExample('cell-sparkplug', [8198], atBroker)

  it('is born, and again when a host asks for it', async () => {
    const { follows } = example()
    await follows('spark-rebirth', /message\][^]*NBIRTH\/cell-1[^]*message\][^]*DBIRTH\/cell-1\/left/)
  })

  it('sets the parameter that it shows', () =>
    example().answers('spark-set', /message\][^]*DDATA\/cell-1\/left/))
})
