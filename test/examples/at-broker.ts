import { useExample, type FlowNode } from '../support/example'
import { newBroker, type TestBroker } from '../support/mosquitto'

/** An example whose flow uses a real broker of its own; to be called in a suite. */
export function useExampleAtBroker(name: string, ports: readonly number[]): ReturnType<typeof useExample> {
  let broker: TestBroker
  before(async () => {
    broker = await newBroker()
    await broker.start()
  })
  after(() => broker.stop())
  return useExample(name, ports, (nodes: FlowNode[]) =>
    nodes.map((node) => (node.type === 'mqtt-broker' ? { ...node, port: String(broker.port) } : node)),
  )
}
