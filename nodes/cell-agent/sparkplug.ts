import { orUndefined, Scope } from '../../lib/kernel/scope'
import { createHash, randomUUID } from 'node:crypto'
import type { NodeMessage } from 'node-red'
import type { ParameterReading, SparkplugWrite } from '../../lib/fleet/sparkplug/metrics'
import { abortedAfter } from '../../lib/kernel/timers'
import { inPipeline } from '../device/known-nodes'
import type { CellDevice, CellDevices } from './cell-devices'
import type { Command, Answer, CellState } from '../../lib/fleet/messages'
import type { ReadPayload, Metric } from '../../lib/fleet/sparkplug/payload'
import type { StorageOptions } from '../../lib/kernel/storage'
import type { EdgeDevice, EdgeNode } from '../../lib/fleet/sparkplug/edge-node'
import type { CellSettings } from './cell-agent'
import { loadSparkplug } from '../shared/load-later'
import { EdgeLink } from './edge-link'
import { sentencesOf } from '../sentences'

/** Milliseconds for one device. */
const patience = 30_000

interface KnownReadings {
  readings: readonly ParameterReading[]
  /** Milliseconds of the monotonic clock. */
  dueAt: number
  isReading: boolean
}

/** The values of the parameters that hosts see, read now and then and after each command. */
class ParameterValues {
  readonly #devices: CellDevices
  /** Names of parameters by their node. */
  readonly #wanted = new Map<string, string[]>()
  /** Milliseconds. */
  readonly #every: number
  readonly #known = new Map<string, KnownReadings>()
  readonly #scope = new Scope()

  /** @param paths `dev_camera/fps` @param every milliseconds */
  constructor(devices: CellDevices, paths: readonly string[], every: number) {
    this.#devices = devices
    this.#every = every
    for (const path of paths) {
      const slash = path.indexOf('/')
      const node = path.slice(0, slash)
      this.#wanted.set(node, [...(this.#wanted.get(node) ?? []), path.slice(slash + 1)])
    }
  }

  of(name: string): readonly ParameterReading[] {
    return this.#known.get(name)?.readings ?? []
  }

  /** A command may have changed them. */
  changed(name: string): void {
    const known = this.#known.get(name)
    if (known) known.dueAt = 0
  }

  /** Reads what is due. */
  poll(): void {
    if (this.#wanted.size === 0 || this.#scope.isAborted) return
    for (const target of this.#devices.all) {
      const known = this.#known.get(target.name) ?? { readings: [], dueAt: 0, isReading: false }
      this.#known.set(target.name, known)
      if (known.isReading || target.device.state !== 'ready' || performance.now() < known.dueAt) continue
      known.isReading = true
      known.dueAt = performance.now() + this.#every
      this.#scope.begin(async () => {
        // A failure shows in the link of the device; the next poll tries again.
        known.readings = (await orUndefined(this.#read(target))) ?? known.readings
        known.isReading = false
      })
    }
  }

  close(): void {
    this.#scope.abort()
  }

  async #read({ device: { connection } }: CellDevice): Promise<ParameterReading[]> {
    const signal = AbortSignal.any([this.#scope.signal, abortedAfter(patience)])
    const readings: ParameterReading[] = []
    for (const [node, names] of this.#wanted) {
      const records = await connection.onNode({ pipeline: '0', node, signal }, (target) =>
        connection.client.getParameters(inPipeline(target), { signal }),
      )
      for (const name of names) {
        const record = records.find((one) => one.name === name)
        if (record) readings.push({ path: `${node}/${name}`, type: record.type, value: record.value })
      }
    }
    return readings
  }
}

/** Ids of commands from hosts begin with it; they are not reported to a centre. */
const prefix = 'sparkplug:'

const isOfHost = (id: string): boolean => id.startsWith(prefix)

/** The commands that a message of a host makes. The same message, with the same time in it, makes the same ids. */
function hostCommands(
  device: string,
  writes: readonly SparkplugWrite[],
  payload: Buffer,
  { timestamp }: ReadPayload,
): Command[] {
  const once = timestamp === undefined ? randomUUID() : ''
  const hash = createHash('sha256').update(`${device}\0${once}`).update(payload).digest('hex').slice(0, 40)
  return writes.map((write, index) => ({
    ...{ v: 1, id: `${prefix}${hash}.${index}`, from: 'sparkplug', device },
    ...write,
  }))
}

const { invalidInput, say } = sentencesOf('cell-agent')

export interface SparkplugParts {
  settings: CellSettings & { sparkplug: NonNullable<CellSettings['sparkplug']> }
  devices: CellDevices
  /** For the number of the last connection. */
  file: StorageOptions
  send: (msg: NodeMessage) => void
  take: (command: Command, isRetained: boolean) => void
  /** Reports an error in the flow. */
  reportError: (error: Error) => void
}

type LastCommand = Pick<Answer, 'id' | 'state' | 'code' | 'text'>

/** The cell as an edge node of Sparkplug B, its devices as devices of it. */
export class SparkplugSide {
  readonly #parts: SparkplugParts
  readonly #link: EdgeLink
  readonly #edge: EdgeNode
  readonly #values: ParameterValues
  readonly #last = new Map<string, LastCommand>()
  /** Names of devices by their ids. */
  #names = new Map<string, string>()
  #offered = new Map<string, readonly Metric[]>()
  #isForeignTold = false

  private constructor(parts: SparkplugParts, link: EdgeLink) {
    const { settings, devices } = parts
    this.#parts = parts
    this.#link = link
    this.#edge = link.edge
    this.#values = new ParameterValues(devices, settings.sparkplug.parameters, 1000 * settings.every)
  }

  static async open(parts: SparkplugParts): Promise<SparkplugSide> {
    const { plant, cell, sparkplug } = parts.settings
    const { file, send, reportError } = parts
    const { primaryHost } = sparkplug
    return new SparkplugSide(
      parts,
      await EdgeLink.open({ group: plant, edge: cell, primaryHost, file, send, reportError }),
    )
  }

  start(): void {
    this.#edge.start()
  }

  /** Flows were deployed: nodes that were asked for a connection may be gone. */
  deployed(): void {
    this.#link.deployed()
  }

  /** @returns whether the message was for Sparkplug @throws INVALID_INPUT */
  receive(msg: NodeMessage): boolean {
    return this.#link.receive(msg) || this.#receiveFromHost(msg)
  }

  /** @returns whether the answer is for a host, which sees it among the metrics of the device */
  answered({ id, state, code, text }: Answer, device: string | undefined): boolean {
    if (!isOfHost(id)) return false
    if (device === undefined) return true
    this.#show(device, { id, state, ...(code && { code }), ...(text && { text }) })
    return true
  }

  /** Publishes what has changed in the cell. */
  update(state: Omit<CellState, 'n' | 'at'>): void {
    this.#link.poll()
    this.#values.poll()
    const { isAlive, sparkplugIds } = loadSparkplug()
    const ids = sparkplugIds(state.devices.map(({ device }) => device))
    this.#names = new Map([...ids].map(([name, id]) => [id, name]))
    const devices = state.devices.map((device): EdgeDevice => ({
      id: ids.get(device.device) ?? device.device,
      alive: isAlive(device),
      metrics: this.#metricsOf(device),
    }))
    this.#offered = new Map(devices.map(({ id, metrics }) => [id, metrics]))
    const offline = devices.filter(({ alive }) => !alive).length
    this.#edge.update(
      [
        { name: 'Cell/Devices', type: 'Int32', value: devices.length },
        { name: 'Cell/Devices offline', type: 'Int32', value: offline },
        { name: 'Cell/Commands under way', type: 'Int32', value: state.working.length },
      ],
      devices,
    )
  }

  /** @param isRemoved whether the cell no longer is an edge node */
  async close(isRemoved: boolean): Promise<void> {
    this.#values.close()
    await this.#link.close(isRemoved)
  }

  #metricsOf(device: CellState['devices'][number]): Metric[] {
    const { rights } = this.#parts.settings
    const last = this.#last.get(device.device)
    return loadSparkplug().deviceMetrics(device, {
      parameters: this.#values.of(device.device),
      maySet: rights.kinds.has('set-parameters'),
      services: rights.services,
      ...(last && { last }),
    })
  }

  #receiveFromHost(msg: NodeMessage): boolean {
    const { isSparkplugTopic, readSparkplugTopic, readHostState, readPayload, rebirthMetric } =
      loadSparkplug()
    const { topic, payload, retain } = msg as NodeMessage & { retain?: boolean }
    const { plant, cell, sparkplug } = this.#parts.settings
    const arrival = readSparkplugTopic(
      { group: plant, edge: cell },
      sparkplug.primaryHost || undefined,
      topic,
    )
    if (!arrival) {
      if (!isSparkplugTopic(topic)) return false
      // A subscription to too much brings the same again and again: one error is enough.
      if (this.#isForeignTold) return true
      this.#isForeignTold = true
      throw invalidInput('cell-sparkplug-foreign', { topic: (topic ?? '').slice(0, 200) })
    }
    if (arrival.kind === 'STATE') {
      const state = readHostState(payload)
      if (!state) throw invalidInput('cell-sparkplug-unreadable', { topic: topic ?? '' })
      this.#edge.receiveHostState(state)
      return true
    }
    const read = Buffer.isBuffer(payload) ? readPayload(payload) : undefined
    if (!read) throw invalidInput('cell-sparkplug-unreadable', { topic: topic ?? '' })
    if (arrival.kind === 'NCMD') {
      const asks = read.metrics.some(({ name, value }) => name === rebirthMetric && value === true)
      if (asks && retain !== true) this.#edge.rebirth()
    } else this.#write(arrival.device, read, payload as Buffer, retain === true)
    return true
  }

  #write(id: string, read: ReadPayload, payload: Buffer, isRetained: boolean): void {
    const device = this.#names.get(id)
    if (device === undefined || this.#edge.phase !== 'online') return
    const { writes, problem } = loadSparkplug().writesIn(read.metrics, this.#offered.get(id) ?? [])
    if (problem !== undefined) {
      const text = say('cell-sparkplug-metric', { metric: problem.slice(0, 200), device })
      this.#show(device, { id: '', state: 'refused', code: 'NOT_ALLOWED', text })
      return
    }
    for (const command of hostCommands(device, writes, payload, read)) this.#parts.take(command, isRetained)
  }

  /** Shows the status of a command, and repeats the written values for hosts that wait for them. */
  #show(device: string, last: LastCommand): void {
    this.#last.set(device, last)
    if (last.state === 'accepted' || last.state === 'working') return
    this.#values.changed(device)
    for (const [id, name] of this.#names) {
      if (name !== device) continue
      const { commandStateMetric } = loadSparkplug()
      this.#edge.repeat(id, commandStateMetric)
      for (const metric of this.#offered.get(id) ?? [])
        if (metric.writable === true) this.#edge.repeat(id, metric.name)
    }
  }
}
