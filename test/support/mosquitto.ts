import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  connect as connectClient,
  type IClientOptions,
  type IClientPublishOptions,
  type IPublishPacket,
  type MqttClient,
} from 'mqtt'
import { freePorts } from './free-ports'
import { answersAt, installedProgram } from './installed-program'

/** Debian's Mosquitto on a free port of 127.0.0.1. */
export interface TestBroker {
  port: number
  pid: () => number | undefined
  start: () => Promise<void>
  kill: () => Promise<void>
  /** Deletes its files too. */
  stop: () => Promise<void>
}

interface BrokerOptions {
  /** @default a free one */
  port?: number
  /** State survives a kill. @default true */
  persistent?: boolean
}

/** Of brokers that were not stopped. */
const folders = new Set<string>()
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export async function newBroker(
  configuration = 'allow_anonymous true\n',
  { port: requestedPort, persistent = true }: BrokerOptions = {},
): Promise<TestBroker> {
  const [port = 0] = requestedPort === undefined ? await freePorts(1) : [requestedPort]
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-broker-'))
  const file = join(folder, 'mosquitto.conf')
  // Otherwise it changes its user, who cannot read the configuration.
  const user = process.getuid?.() === 0 ? 'user root\n' : ''
  const memory = persistent
    ? `persistence true\npersistence_location ${folder}/\nautosave_interval 1\nautosave_on_changes true\n`
    : 'persistence false\n'
  writeFileSync(file, `${user}listener ${port} 127.0.0.1\n${memory}${configuration}`)
  folders.add(folder)
  const program = installedProgram('mosquitto', ['-c', file], () => answersAt(port))
  return {
    port,
    pid: program.pid,
    start: program.start,
    kill: () => program.end('SIGKILL'),
    stop: async () => {
      await program.end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
      folders.delete(folder)
    },
  }
}

export interface ReceivedMessage {
  topic: string
  body: Record<string, unknown>
  packet: IPublishPacket
}

/** MQTT 5; keeps all messages, reconnects. */
export class TestClient {
  readonly received: ReceivedMessage[] = []
  readonly #client: MqttClient

  private constructor(client: MqttClient) {
    this.#client = client
    client.on('message', (topic, payload, packet) => {
      const text = payload.toString()
      const body = (text.startsWith('{') ? JSON.parse(text) : { text }) as Record<string, unknown>
      this.received.push({ topic, body, packet })
    })
    client.on('error', () => undefined)
  }

  /** @param more such as certificates */
  static async open(port: number, topics: readonly string[], more: IClientOptions = {}): Promise<TestClient> {
    const client = connectClient({
      ...{ host: '127.0.0.1', port, protocolVersion: 5, reconnectPeriod: 100, clientId: `test-${port}` },
      ...{ clean: false, properties: { sessionExpiryInterval: 3600 } },
      ...more,
    })
    const opened = new TestClient(client)
    await new Promise<void>((resolve) => client.once('connect', () => resolve()))
    for (const topic of topics) await client.subscribeAsync(topic, { qos: 1, rap: true })
    return opened
  }

  async publish(topic: string, body: object | string, options: IClientPublishOptions = {}): Promise<void> {
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    await this.#client.publishAsync(topic, payload, { qos: 1, ...options })
  }

  close(): Promise<void> {
    return this.#client.endAsync(true)
  }
}
