import { connect, type IClientPublishOptions, type MqttClient } from 'mqtt'
import { CellAgent, type Ending } from '../../lib/fleet/agent/agent'
import { AgentMemory, type AgentEntry, type Outgoing } from '../../lib/fleet/agent/journal'
import {
  Ack,
  Command,
  commandKinds,
  type CellState,
  type FleetDevice,
  readMessage,
  topicOf,
  type CellName,
} from '../../lib/fleet/messages'

interface MqttCellOptions extends CellName {
  port: number
  devices: readonly string[]
  /** Longest time between states, seconds. */
  every: number
  /** @default done at once */
  execute?: (command: Command) => Promise<Ending>
}

/** A simulated cell: our agent with an MQTT client, a journal in memory, and devices that execute at once. */
export class MqttCell {
  /** By command id. */
  readonly executed = new Map<string, number>()
  readonly devices: FleetDevice[]
  readonly #client: MqttClient
  readonly #agent: CellAgent
  readonly #memory = new AgentMemory()
  readonly #boot = crypto.randomUUID()
  #n = 0
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly options: MqttCellOptions) {
    const { plant, cell, port, execute = () => Promise.resolve({ state: 'done' }) } = options
    this.devices = options.devices.map((device) => ({
      ...{
        device,
        link: 'ready',
        since: new Date().toISOString(),
        address: '192.168.100.10',
        model: 'stereo 160',
      },
      ...{
        serial: `${plant}-${cell}-${device}`.slice(0, 60),
        hostname: `camera-${device}`,
        firmware: 'v1.1.0',
      },
      ...{ temperature: 41.5, fingerprint: '0123456789abcdef'.repeat(4) },
      calibration: { at: '2026-11-01T12:00:00.000Z', errorMm: 0.31 },
      problems: [],
    }))
    const memory = this.#memory
    this.#agent = new CellAgent({
      ...{ plant, cell, boot: this.#boot, resumable: new Set() },
      journal: {
        memory,
        record: (entry: AgentEntry) => {
          memory.apply(entry)
          return Promise.resolve()
        },
        close: () => Promise.resolve(),
      },
      rights: { kinds: new Set(commandKinds), services: [], flows: [] },
      execute: async (command) => {
        this.executed.set(command.id, (this.executed.get(command.id) ?? 0) + 1)
        return execute(command)
      },
      send: (message) => this.#send(message),
      say: (key) => key,
      failed: (error) => ({ state: 'failed', code: 'INTERNAL', text: String(error) }),
    })
    this.#client = connect(`mqtt://127.0.0.1:${port}`, {
      protocolVersion: 5,
      clean: true,
      will: { topic: this.#topic('gone'), payload: Buffer.from('gone'), qos: 1, retain: false },
    })
    this.#client.on('message', (topic, payload, packet) => {
      if (topic.endsWith('/ack')) {
        const { value } = readMessage(Ack, payload)
        if (value) this.#agent.acknowledge(value)
        return
      }
      const { value } = readMessage(Command, payload)
      const replyTo = packet.properties?.responseTopic
      if (value)
        this.#agent.receive(value, { ...(replyTo !== undefined && { replyTo }), isRetained: packet.retain })
    })
    this.#client.on('error', () => undefined)
    this.#agent.start()
  }

  /** Resolves when the broker has its state. */
  async start(): Promise<void> {
    const arrived = new Promise<void>((resolve) => {
      this.#client.on('connect', () => {
        this.#client.subscribe([this.#topic('command'), this.#topic('ack')], { qos: 1 }, () => {
          this.publish(resolve)
          this.#agent.reconnected()
        })
      })
    })
    await arrived
    this.#timer = setInterval(() => this.publish(), 1000 * this.options.every)
  }

  publish(arrived?: () => void): void {
    const { plant, cell, every } = this.options
    const state: CellState = {
      ...{ v: 1, plant, cell, boot: this.#boot, n: ++this.#n, at: new Date().toISOString(), every },
      ...{ expires: 86_400, devices: this.devices, flows: [], may: [...commandKinds] },
      working: this.#agent.working,
    }
    this.#publish(this.#topic('state'), state, { retain: true, expiry: 86_400 }, arrived)
  }

  /** Cuts the connection so that the broker notices. */
  cut(): void {
    this.#client.options.reconnectPeriod = 0
    this.#client.stream.destroy()
  }

  /** Reconnects. */
  heal(): void {
    this.#client.options.reconnectPeriod = 1000
    this.#client.reconnect()
  }

  /** Repeated until acknowledged. */
  report(event: string, text: string): void {
    this.#agent.report({ event, text })
  }

  /** Unacknowledged messages. */
  get pending(): number {
    return this.#memory.pending.size
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#agent.close()
    await this.#client.endAsync(true)
  }

  #topic(last: Parameters<typeof topicOf>[1]): string {
    const { root, plant, cell } = this.options
    return topicOf({ root, plant, cell }, last)
  }

  #send({ kind, body, ...message }: Outgoing): void {
    const replyTo = 'replyTo' in message ? message.replyTo : undefined
    this.#publish(replyTo ?? this.#topic(kind), body, { retain: false })
  }

  #publish(
    topic: string,
    body: object,
    { retain, expiry }: { retain: boolean; expiry?: number },
    arrived?: () => void,
  ): void {
    const options: IClientPublishOptions = {
      qos: 1,
      retain,
      ...(expiry !== undefined && { properties: { messageExpiryInterval: expiry } }),
    }
    this.#client.publish(topic, JSON.stringify(body), options, () => arrived?.())
  }
}
