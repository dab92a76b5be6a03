import type { IConnectPacket } from 'mqtt-packet'
import { EdgeNode, type EdgeConnection, type EdgeDevice } from '../../../lib/fleet/sparkplug/edge-node'
import { seededRandom } from '../../../virtual-device/values'
import { readSparkplug } from './decoded'
import type { WireConnection } from './wire'

type Request = { leave: number } | { connect: EdgeConnection } | { topic: string; payload: Buffer }
type News = { left: number } | { connected: number } | 'up' | 'down'

export interface SessionRun {
  connections: WireConnection[]
  phase: string
  restarts: number
  cuts: number
}

/**
 * An edge node, an `mqtt out` node as Node-RED has it, and a broker, with seeded faults: cut connections, a broker that is
 * away, requests and answers that a deploy loses, restarts. In the end all faults are over.
 */
export function runSession(seed: number, steps: number): SessionRun {
  const random = seededRandom(seed)
  const connections: WireConnection[] = []
  const requests: Request[] = []
  const news: News[] = []
  let link: 'none' | 'connecting' | 'connected' | 'lost' = 'none'
  let will: EdgeConnection | undefined
  /** Of the request whose end is to be told. */
  let asked: number | undefined
  let isBrokerUp = true
  let last: number | undefined
  let [restarts, cuts] = [0, 0]
  let temperature = 20

  const newEdge = () =>
    new EdgeNode({
      ...{ group: 'north', edge: 'c1', ...(seed % 2 === 0 && { primaryHost: 'scada' }) },
      ...(last !== undefined && { last }),
      leave: (request) => requests.push({ leave: request }),
      connect: (connection) => {
        last = connection.number
        requests.push({ connect: connection })
      },
      publish: (topic, payload) => requests.push({ topic, payload }),
      clock: () => 1000,
    })
  let edge = newEdge()
  edge.start()

  const wire = () => connections.at(-1)?.sent
  const end = () => {
    if (link === 'connected' && will) {
      wire()?.push(readSparkplug(will.topic, will.payload, { qos: 0, retain: false }), { kind: 'disconnect' })
      news.push('down')
    }
    link = 'none'
  }
  const serve = (request: Request) => {
    if ('leave' in request) {
      end()
      news.push({ left: request.leave })
    } else if ('connect' in request) {
      if (link === 'connected' || link === 'connecting') return
      will = request.connect
      asked = will.number
      link = 'connecting'
    } else if (link === 'connected')
      wire()?.push(readSparkplug(request.topic, request.payload, { qos: 0, retain: false }))
  }
  const hear = (told: News) => {
    if (told === 'up') edge.up()
    else if (told === 'down') edge.disconnected()
    else if ('left' in told) edge.left(told.left)
    else edge.connected(told.connected)
  }
  /** The connection is made, by the node or by its client, which connects again as it was. */
  const establish = () => {
    if (!will || !isBrokerUp || (link !== 'connecting' && link !== 'lost')) return
    connections.push({
      connect: { clean: true } as IConnectPacket,
      will: readSparkplug(will.topic, will.payload, { qos: 1, retain: false }),
      ...{ isAccepted: true, sent: [{ kind: 'subscribe', topics: ['spBv1.0/north/NCMD/c1'] }] },
    })
    link = 'connected'
    if (asked !== undefined) news.push({ connected: asked })
    asked = undefined
    news.push('up')
  }
  const cut = () => {
    if (link !== 'connected') return
    cuts++
    link = 'lost'
    news.push('down')
  }
  const devices = (): EdgeDevice[] =>
    ['left', 'right'].map((id) => ({
      ...{ id, alive: random() < 0.9 },
      metrics: [
        { name: 'Temperature', type: 'Double', value: temperature },
        ...(random() < 0.02 ? [{ name: 'New', type: 'String', value: 'x' } as const] : []),
      ],
    }))
  const settle = () => {
    while (requests.length > 0 || news.length > 0) {
      const told = random() < 0.5 ? news.shift() : undefined
      if (told) hear(told)
      const request = random() < 0.5 ? requests.shift() : undefined
      if (request) serve(request)
    }
  }
  const say = (online: boolean) => edge.receiveHostState({ online, timestamp: 1 })
  const faults: (() => void)[] = [
    cut,
    () => {
      isBrokerUp = !isBrokerUp
      cut()
    },
    // A deploy: what is under way to a node that closes is lost, and `mqtt out` tells anew how it stands.
    () => {
      requests.length = 0
      news.splice(0, news.length, ...news.filter((told) => typeof told === 'string'))
      news.push('down', ...(link === 'connected' ? (['up'] as const) : []))
      edge.again()
    },
    // All begins anew: the node ends its connection properly.
    () => {
      restarts++
      end()
      requests.length = 0
      news.length = 0
      edge = newEdge()
      edge.start()
    },
    () => say(random() < 0.6),
    () => edge.rebirth(),
  ]
  for (let step = 0; step < steps; step++) {
    const fault = random() < 0.15 ? faults[Math.floor(random() * faults.length)] : undefined
    fault?.()
    temperature += random() < 0.5 ? 1 : 0
    edge.update([{ name: 'Cell/Devices', type: 'Int32', value: step % 3 }], devices())
    // Messages between nodes take less time than the client waits until it connects again.
    settle()
    if (random() < 0.5) establish()
    if (random() < 0.05) edge.again()
  }
  isBrokerUp = true
  for (let round = 0; round < 5 && edge.phase !== 'online'; round++) {
    edge.again()
    settle()
    establish()
    settle()
    say(true)
    settle()
  }
  return { connections, phase: edge.phase, restarts, cuts }
}
