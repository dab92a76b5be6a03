import { CellAgent, type CommandWork, type Ending } from '../../../lib/fleet/agent/agent'
import { AgentMemory, type AgentEntry, type Outgoing } from '../../../lib/fleet/agent/journal'
import {
  Ack,
  commandKinds,
  Command,
  type CommandKind,
  readMessage,
  topicOf,
} from '../../../lib/fleet/messages'
import type { Broker, Connection, Delivery } from './broker'
import type { World } from './world'

export const root = 'vision'

/** What has really been done, whoever asked for it. */
export interface Deeds {
  /** Executions by the id of the command. */
  executed: Map<string, number>
  wrong: string[]
}

/** A cell with devices that do what they are told, with the real agent in front of them. */
export class ModelCell {
  readonly plant = 'north'
  /** The firmware of each device, and by which job. */
  readonly firmware = new Map<string, string>()
  readonly #disk: string[] = []
  readonly #updating = new Map<string, string>()
  /** Milliseconds that its clock is wrong. */
  readonly #skew: number
  #agent: CellAgent | undefined
  #memory: AgentMemory | undefined
  #connection: Connection | undefined
  #boots = 0
  #n = 0
  #publishedAt = -Infinity

  constructor(
    private readonly world: World,
    private readonly broker: Broker,
    readonly cell: string,
    readonly devices: readonly string[],
    private readonly deeds: Deeds,
  ) {
    this.#skew = [0, 0, 3_600_000, -3_600_000][Math.floor(world.within(4))] ?? 0
    for (const device of devices) this.firmware.set(device, 'v1')
    this.#start()
  }

  /** Answers and events that nobody has acknowledged. */
  get pending(): number {
    return this.#memory?.pending.size ?? 0
  }

  /** Devices in the middle of an update. */
  get between(): string[] {
    return [...this.#updating.keys()]
  }

  /** Killed, and started again after so many milliseconds. */
  kill(milliseconds: number): void {
    if (!this.#agent) return
    this.#agent = undefined
    this.#connection?.end()
    this.world.later(() => this.#start(), milliseconds)
  }

  unplug(milliseconds: number): void {
    this.#connection?.lose(milliseconds)
  }

  #start(): void {
    const { world, plant, cell } = this
    const boot = `${cell}-${++this.#boots}`
    const memory = new AgentMemory()
    for (const line of this.#disk) memory.apply(JSON.parse(line) as AgentEntry)
    const isAlive = () => this.#agent === agent
    const note = (entry: AgentEntry) => {
      memory.apply(entry)
      return new Promise<void>((resolve) =>
        world.later(() => {
          if (!isAlive()) return
          this.#disk.push(JSON.stringify(entry))
          resolve()
        }, world.within(10)),
      )
    }
    const agent: CellAgent = new CellAgent({
      plant,
      cell,
      boot,
      journal: { memory, record: note, close: () => Promise.resolve() },
      rights: { kinds: new Set(commandKinds), services: [], flows: [] },
      resumable: new Set<CommandKind>(['update-firmware']),
      execute: (command, work) => this.#execute(command, work, isAlive),
      send: (message) => isAlive() && this.#send(message),
      say: (key) => key,
      failed: (error) => ({ state: 'failed', code: 'INTERNAL', text: String(error) }),
      changed: () => this.#changed(boot, isAlive),
      clock: () => 1e12 + world.now + this.#skew,
      now: () => world.now,
      later: (work, milliseconds) => world.later(() => isAlive() && work(), milliseconds),
    })
    this.#agent = agent
    this.#memory = memory
    const own = topicOf({ root, plant, cell }, 'command').replace(/command$/, '')
    this.#connection = this.broker.connect({
      wants: (topic) => topic === `${own}command` || topic === `${own}ack`,
      receive: (delivery) => isAlive() && this.#receive(delivery),
      connected: () => {
        this.#publishedAt = -Infinity
        this.#changed(boot, isAlive)
        agent.reconnected()
      },
      will: `${own}gone`,
    })
    agent.start()
    const regularly = () => {
      if (!isAlive()) return
      this.#publish(boot)
      world.later(regularly, 20_000)
    }
    regularly()
  }

  #receive({ topic, payload, responseTopic, retained }: Delivery): void {
    if (topic.endsWith('/ack')) {
      const { value } = readMessage(Ack, payload)
      if (value) this.#agent?.acknowledge(value)
      return
    }
    const { value } = readMessage(Command, payload)
    if (!value) this.deeds.wrong.push(`no command: ${payload}`)
    else
      this.#agent?.receive(value, {
        ...(responseTopic !== undefined && { replyTo: responseTopic }),
        isRetained: retained,
      })
  }

  #send({ kind, body, ...message }: Outgoing): void {
    const { plant, cell } = this
    const topic = ('replyTo' in message && message.replyTo) || topicOf({ root, plant, cell }, kind)
    this.#connection?.publish({ topic, payload: JSON.stringify(body), retain: false })
  }

  #changed(boot: string, isAlive: () => boolean): void {
    if (this.world.now - this.#publishedAt >= 1000) this.#publish(boot)
    else this.world.later(() => isAlive() && this.#publish(boot), 1000)
  }

  #publish(boot: string): void {
    const { plant, cell } = this
    this.#publishedAt = this.world.now
    const state = {
      ...{ v: 1, plant, cell, boot, n: ++this.#n, every: 20, expires: 3600, flows: [], may: [] },
      at: new Date(1e12 + this.world.now + this.#skew).toISOString(),
      devices: this.devices.map((device) => ({
        ...{ device, link: 'ready', fingerprint: null, calibration: null, problems: [] },
        firmware: this.firmware.get(device),
      })),
      working: this.#agent?.working ?? [],
    }
    const topic = topicOf({ root, plant, cell }, 'state')
    this.#connection?.publish({ topic, payload: JSON.stringify(state), retain: true, expiry: 3600 })
  }

  /** What a device does with a command: it takes a while, and is cut off where the cell is killed. */
  #execute(command: Command, { resumed }: CommandWork, isAlive: () => boolean): Promise<Ending> {
    const { id, do: kind, device = '' } = command
    const { executed, wrong } = this.deeds
    const isUpdate = kind === 'update-firmware'
    if (resumed === undefined) {
      executed.set(id, (executed.get(id) ?? 0) + 1)
      const other = this.#updating.get(device)
      if (other !== undefined && !['read-parameters', 'compare'].includes(kind))
        wrong.push(`${id} began on ${device} in the middle of ${other}`)
      if (isUpdate) this.#updating.set(device, id)
    } else if (this.#updating.get(device) !== id) {
      // Killed after the update and before its end was kept: the journal of the update tells.
      return Promise.resolve({ state: 'done' })
    }
    return new Promise((resolve) => {
      this.world.later(
        () => {
          if (!isAlive()) return
          const isGood = this.world.chance(0.95)
          if (isUpdate) {
            this.#updating.delete(device)
            if (isGood) this.firmware.set(device, id)
          }
          resolve(isGood ? { state: 'done', result: { by: id } } : { state: 'failed', code: 'DEVICE_FAULT' })
        },
        isUpdate ? 5000 + this.world.within(60_000) : this.world.within(3000),
      )
    })
  }
}
