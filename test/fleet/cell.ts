import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import should from 'should'
import { startNodeRed, type NodeRed } from '../support/node-red'
import type { IClientOptions } from 'mqtt'
import { newBroker, TestClient, type ReceivedMessage, type TestBroker } from '../support/mosquitto'
import { eventually } from '../support/eventually'

/** A real cell: Node-RED with its MQTT nodes and an agent, a broker, and a client that plays the centre. */
export interface TestCell {
  broker: TestBroker
  centre: TestClient
  red: NodeRed
  /** Kills Node-RED in the middle of its work. */
  kill: () => Promise<void>
  /** Starts Node-RED again, with the files of the one before. */
  restart: () => Promise<void>
  /** Sends a command. @returns its id */
  ask: (command: object, options?: object) => Promise<string>
  /** The final answer to a command. */
  final: (id: string, within?: number) => Promise<ReceivedMessage['body']>
  /** All different final answers to a command. */
  finals: (id: string) => string[]
  /** The newest state. */
  state: () => ReceivedMessage['body'] | undefined
  stop: () => Promise<void>
}

const place = 'vision/north/c1'
const finalStates = ['done', 'refused', 'failed', 'unknown']

/** How a cell and its centre meet over TLS. */
export interface SecureMeeting {
  /** Lines of `mosquitto.conf`. */
  configuration: string
  centre: IClientOptions
  /** Files of the `tls-config` node of the cell. */
  cell: { ca: string; cert: string; key: string }
  environment: Readonly<Record<string, string>>
}

/** @param devices address by name @param agent fields of the agent @param more further nodes of the flow */
export async function startCell(
  devices: Readonly<Record<string, string>>,
  agent: object,
  more: readonly object[] = [],
  secure?: SecureMeeting,
): Promise<TestCell> {
  const broker = await newBroker(secure?.configuration)
  await broker.start()
  const centre = await TestClient.open(
    broker.port,
    [
      ...['+/+/state', '+/+/gone', '+/+/answer', '+/+/event'].map((end) => `vision/${end}`),
      'vision/centre/hq/answer',
    ],
    secure?.centre,
  )
  const flows = [...flowOf(broker.port, devices, agent, secure?.cell), ...more]
  const environment = secure?.environment ?? {}
  let red = await startNodeRed({ flows, settings: { mqttReconnectTime: 300 }, environment })

  const answersTo = (id: string) => centre.received.filter(({ body }) => body['id'] === id)
  const finals = (id: string) =>
    answersTo(id).filter(({ body }) => finalStates.includes(String(body['state'])))
  return {
    broker,
    centre,
    get red() {
      return red
    },
    kill: () => red.kill(),
    restart: async () => {
      red = await startNodeRed({ userDir: red.userDir, environment })
    },
    ask: async (command, options = {}) => {
      const id = 'id' in command ? String(command.id) : randomUUID()
      const body = { v: 1, id, from: 'hq', args: {}, ...command }
      await centre.publish(`${place}/command`, body, {
        properties: {
          responseTopic: 'vision/centre/hq/answer',
          correlationData: Buffer.from(id),
          messageExpiryInterval: 60,
        },
        ...options,
      })
      return id
    },
    final: (id, within) =>
      eventually(() => {
        const [first] = finals(id)
        should(first).not.equal(undefined, `no final answer to ${id}`)
        return (first as ReceivedMessage).body
      }, within),
    finals: (id) => [
      ...new Set(finals(id).map(({ body }) => `${String(body['state'])} ${String(body['seq'])}`)),
    ],
    state: () => centre.received.findLast(({ topic }) => topic === `${place}/state`)?.body,
    stop: async () => {
      await red.stop()
      await centre.close()
      await broker.stop()
    },
  }
}

export const acknowledge = (cell: TestCell, { boot, seq }: ReceivedMessage['body']) =>
  cell.centre.publish(`${place}/ack`, { v: 1, boot, seqs: [seq] })

const onTab = { z: 'tab', x: 0, y: 0 }

function flowOf(
  port: number,
  devices: Readonly<Record<string, string>>,
  agent: object,
  tls?: SecureMeeting['cell'],
): object[] {
  const subscription = (last: string) => ({
    ...{ ...onTab, id: `in-${last}`, type: 'mqtt in', broker: 'broker', topic: `${place}/${last}` },
    ...{ qos: '1', datatype: 'buffer', nl: false, rap: true, rh: 0, inputs: 0, wires: [['agent']] },
  })
  return [
    { id: 'tab', type: 'tab', label: 'cell' },
    {
      ...{ id: 'broker', type: 'mqtt-broker', broker: '127.0.0.1', port: String(port), clientid: 'c1' },
      ...{
        autoConnect: true,
        protocolVersion: '5',
        keepalive: '5',
        cleansession: false,
        sessionExpiry: '600',
      },
      ...{ birthTopic: `${place}/here`, birthPayload: '{}', birthQos: '1', birthRetain: 'false' },
      ...(tls && { usetls: true, tls: 'tls' }),
      ...{ willTopic: `${place}/gone`, willPayload: '{}', willQos: '1', willRetain: 'false' },
    },
    ...(tls ? [{ id: 'tls', type: 'tls-config', name: 'plant', ...tls, verifyservercert: true }] : []),
    ...['command', 'ack', 'here'].map(subscription),
    ...Object.entries(devices).map(([name, address]) => ({
      ...{ id: `device-${name}`, type: 'vision-device-config', name, address, healthInterval: 0.2 },
    })),
    {
      ...{ ...onTab, id: 'agent', type: 'vision-cell-agent', plant: 'north', cell: 'c1', every: 5 },
      ...agent,
      wires: [['out'], ['flow']],
    },
    { ...onTab, id: 'out', type: 'mqtt out', broker: 'broker', topic: '', qos: '', retain: '', wires: [] },
    { ...onTab, id: 'flow', type: 'switch', property: 'topic', rules: [], outputs: 0, wires: [] },
    { ...onTab, id: 'caught', type: 'catch', scope: ['agent'], wires: [['shown']] },
    { ...onTab, id: 'shown', type: 'debug', console: true, active: true, complete: 'true', wires: [] },
  ]
}

export interface FileServer {
  url: string
  host: string
  /** From now on, each answer ends after a byte. */
  breaks: () => void
  /** Requests with the range that they asked for. */
  requests: (string | undefined)[]
  stop: () => Promise<void>
}

/** Serves bytes, with ranges. @param cutAfter bytes after which each of the first answers ends @param tls for https */
export async function serveFile(
  content: Buffer,
  { cutAfter = Infinity, cuts = 0, tls }: { cutAfter?: number; cuts?: number; tls?: ServerOptions } = {},
): Promise<FileServer> {
  const requests: (string | undefined)[] = []
  let most = cutAfter
  let broken = cuts
  const answer: RequestListener = (request, response) => {
    const { range } = request.headers
    requests.push(range)
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const rest = content.subarray(from)
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': rest.length,
      ...(range !== undefined && {
        'content-range': `bytes ${from}-${content.length - 1}/${content.length}`,
      }),
    })
    // Everything that was written arrives before the end, however busy the machine is.
    if (requests.length <= broken) response.write(rest.subarray(0, most), () => request.socket.end())
    else response.end(rest)
  }
  const server: Server = tls ? createSecureServer(tls, answer) : createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ url: `${tls ? 'https' : 'http'}://${host}/artifact.bin`, host, requests },
    breaks: () => {
      most = 1
      broken = Infinity
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
