import { parser, type IConnectPacket, type Packet } from 'mqtt-packet'
import { startRelay } from '../../support/proxies/relay'
import { readSparkplug, type SparkplugMessage } from './decoded'

/** One connection of an edge node to the broker, as it was on the wire. */
export interface WireConnection {
  connect: IConnectPacket
  /** The last will. */
  will: SparkplugMessage | undefined
  /** Whether the broker has accepted it. */
  isAccepted: boolean
  /** What the edge node has sent: messages, `subscribe` with the topics, `disconnect`. */
  sent: (SparkplugMessage | { kind: 'subscribe'; topics: string[] } | { kind: 'disconnect' })[]
}

export interface Wire {
  port: number
  /** In their order. */
  connections: WireConnection[]
  cut: () => void
  stop: () => Promise<void>
}

/** A relay to a broker that reads along what an edge node sends. */
export async function startWire(brokerPort: number): Promise<Wire> {
  const connections: WireConnection[] = []
  const relay = await startRelay(`http://127.0.0.1:${brokerPort}`, (near, reach) => {
    const far = reach()
    let connection: WireConnection | undefined
    const [fromNear, fromFar] = [parser(), parser()]
    fromNear.on('packet', (packet: Packet) => {
      if (packet.cmd === 'connect') {
        const { will } = packet
        connection = {
          connect: packet,
          will: will && readSparkplug(will.topic, will.payload as Buffer, will),
          ...{ isAccepted: false, sent: [] },
        }
        connections.push(connection)
      }
      if (packet.cmd === 'publish')
        connection?.sent.push(readSparkplug(packet.topic, packet.payload as Buffer, packet))
      if (packet.cmd === 'subscribe')
        connection?.sent.push({ kind: 'subscribe', topics: packet.subscriptions.map(({ topic }) => topic) })
      if (packet.cmd === 'disconnect') connection?.sent.push({ kind: 'disconnect' })
    })
    fromFar.on('packet', (packet: Packet) => {
      if (packet.cmd === 'connack' && connection) connection.isAccepted = packet.returnCode === 0
    })
    near.on('data', (data: Buffer) => fromNear.parse(data)).pipe(far)
    far.on('data', (data: Buffer) => fromFar.parse(data)).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  return {
    port: Number(new URL(relay.url).port),
    connections,
    cut: relay.reset,
    stop: relay.stop,
  }
}
