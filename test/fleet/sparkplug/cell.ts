import { connect, type MqttClient } from 'mqtt'
import should from 'should'
import { eventually } from '../../support/eventually'
import { newBroker, type TestBroker } from '../../support/mosquitto'
import { startNodeRed, type NodeRed } from '../../support/node-red'
import { readSparkplug, writeSparkplug, type SparkplugMessage } from './decoded'
import { startWire, type Wire } from './wire'

type Metrics = Parameters<typeof writeSparkplug>[0]['metrics']

/** A real cell that speaks Sparkplug through Node-RED's own nodes, a broker, and a host beside it. */
export interface SparkplugCell {
  broker: TestBroker
  wire: Wire
  red: NodeRed
  flows: Record<string, unknown>[]
  /** What the host has heard, in its order. */
  heard: SparkplugMessage[]
  host: MqttClient
  kill: () => Promise<void>
  restart: () => Promise<void>
  /** Waits for a message after the first `from` ones. */
  next: (
    kind: string,
    from: number,
    matches?: (message: SparkplugMessage) => boolean,
  ) => Promise<SparkplugMessage>
  /** Writes metrics of the node, or of a device. @returns the bytes that were sent */
  write: (metrics: Metrics, device?: string, timestamp?: number) => Promise<Buffer>
  /** Deploys only what has changed. */
  deployNodes: (flows: Record<string, unknown>[]) => Promise<void>
  stop: () => Promise<void>
}

const edge = (kind: string, ...more: string[]) => ['spBv1.0', 'north', kind, 'c1', ...more].join('/')

/** @param devices address by name @param agent fields of the agent */
export async function startSparkplugCell(
  devices: Readonly<Record<string, string>>,
  agent: object,
): Promise<SparkplugCell> {
  const broker = await newBroker()
  await broker.start()
  const wire = await startWire(broker.port)
  const heard: SparkplugMessage[] = []
  const host = connect({ host: '127.0.0.1', port: broker.port, reconnectPeriod: 50, clientId: 'host' })
  host.on('error', () => undefined)
  host.on('message', (topic, payload, packet) => {
    if (!topic.includes('/STATE/')) heard.push(readSparkplug(topic, payload, packet))
  })
  await host.subscribeAsync(['NBIRTH', 'NDEATH', 'NDATA'].map((kind) => edge(kind)))
  await host.subscribeAsync(['DBIRTH', 'DDEATH', 'DDATA'].map((kind) => edge(kind, '+')))
  const flows = flowOf(wire.port, devices, agent)
  let red = await startNodeRed({ flows, settings: { mqttReconnectTime: 300 } })
  return {
    ...{ broker, wire, flows, heard, host },
    get red() {
      return red
    },
    kill: () => red.kill(),
    restart: async () => {
      red = await startNodeRed({ userDir: red.userDir })
    },
    next: (kind, from, matches = () => true) =>
      eventually(() => {
        const found = heard.slice(from).find((message) => message.kind === kind && matches(message))
        const kinds = heard.slice(from).map((one) => `${one.kind} ${one.seq ?? ''}`)
        should(found).not.equal(
          undefined,
          `no ${kind} among ${kinds.join(', ')}\n${red.output().slice(-3000)}`,
        )
        return found as SparkplugMessage
      }),
    write: async (metrics, device, timestamp = Date.now()) => {
      const bytes = writeSparkplug({ timestamp, metrics: metrics ?? [] })
      await host.publishAsync(device === undefined ? edge('NCMD') : edge('DCMD', device), bytes)
      return bytes
    },
    deployNodes: async (changed) => {
      const answer = await fetch(`${red.url}/flows`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'node-red-api-version': 'v2',
          'node-red-deployment-type': 'nodes',
        },
        body: JSON.stringify({ flows: changed }),
      })
      should(answer.ok).equal(true)
    },
    stop: async () => {
      await red.stop()
      await host.endAsync(true)
      await wire.stop()
      await broker.stop()
    },
  }
}

const onTab = { z: 'tab', x: 0, y: 0 }

function flowOf(port: number, devices: Readonly<Record<string, string>>, agent: object) {
  const subscription = (id: string, topic: string) => ({
    ...{ ...onTab, id, type: 'mqtt in', broker: 'broker', topic, qos: '1', datatype: 'buffer' },
    ...{ nl: false, rap: true, rh: 0, inputs: 0, wires: [['agent']] },
  })
  return [
    { id: 'tab', type: 'tab', label: 'cell' },
    {
      ...{ id: 'broker', type: 'mqtt-broker', broker: '127.0.0.1', port: String(port), clientid: 'c1' },
      ...{ autoConnect: false, protocolVersion: '4', keepalive: '5', cleansession: true },
    },
    subscription('ncmd', edge('NCMD')),
    subscription('dcmd', edge('DCMD', '+')),
    subscription('state', 'spBv1.0/STATE/scada'),
    { ...onTab, id: 'status', type: 'status', scope: ['out'], wires: [['agent']] },
    { ...onTab, id: 'complete', type: 'complete', scope: ['out'], wires: [['agent']] },
    ...Object.entries(devices).map(([name, address]) => ({
      ...{ id: `device-${name}`, type: 'vision-device-config', name, address, healthInterval: 0.2 },
    })),
    {
      ...{ ...onTab, id: 'agent', type: 'vision-cell-agent', plant: 'north', cell: 'c1', every: 1 },
      ...{ sparkplug: true, ...agent, wires: [[], [], ['out']] },
    },
    { ...onTab, id: 'out', type: 'mqtt out', broker: 'broker', topic: '', qos: '', retain: '', wires: [] },
    { ...onTab, id: 'caught', type: 'catch', scope: ['agent'], wires: [['shown']] },
    { ...onTab, id: 'shown', type: 'debug', console: true, active: true, complete: 'true', wires: [] },
  ] as Record<string, unknown>[]
}
