import { resolve } from 'node:path'
import type { OperationId, Variant } from '../lib/contract'
import { bootPhase, type BootPhase } from './boot-phase'
import type { Clock } from './clock'
import type { DeviceState } from './device-state'
import { FileShelf } from './file-shelf'
import { identity, type Identity } from './identity'
import { licenseComponents } from './license-components'
import { LogBook } from './log-book'
import { defaultScenario, mergedScenario } from './merge-scenario'
import type { LogLevel } from './module'
import { modulesOf } from './modules'
import { startNodes, type Nodes } from './nodes'
import type { ResolvedOptions } from './options'
import { Refusal } from './refusal'
import type { RunningModule } from './running-module'
import type { Scenario } from './scenario'
import { nodesOf, restoreNodes } from './saved-nodes'
import type { Store } from './store'
import { templatesOf } from './stored-files'
import { Streams } from './streams'
import { bootedFirmware, factorySettings, type SystemState } from './system-state'

export interface Pipeline {
  /** Kind of sensor. */
  type: string
  nodes: Nodes
}

export interface HandledCall {
  operation: OperationId
  input: object
  status: number
}

const keptCalls = 1000

const logNames: Readonly<Record<Variant, readonly string[]>> = {
  single: ['api.log', 'stereo.log', 'camera.log', 'dynamics.log', 'gev.log'],
  multi: ['api.log', 'stereo.log', 'camera.log', 'gev.log'],
}

/** The simulated device behind the server: its nodes, settings, logs and scenario. */
export class Device {
  readonly variant: Variant
  readonly clock: Clock
  readonly identity: Identity
  readonly logs: LogBook
  readonly streams = new Streams()
  /** Files that were uploaded to it. */
  readonly shelf: FileShelf
  system: SystemState
  global: Nodes = new Map()
  pipelines: ReadonlyMap<string, Pipeline> = new Map()
  /** Called after each change of the scenario. */
  scenarioChanged: (() => void) | undefined
  private current: Scenario = defaultScenario([])
  private unsaved = false
  private readonly handledCalls: HandledCall[] = []
  private readonly startedAt: number
  private rebootedAt: number | undefined
  private readonly stopping = new AbortController()
  private updating = false

  constructor(
    readonly options: ResolvedOptions,
    private readonly store?: Store,
    saved?: DeviceState,
  ) {
    this.variant = options.variant
    this.clock = options.clock
    this.startedAt = this.clock.now()
    this.identity = identity(options.variant, options.seed)
    const folder =
      options.state === undefined ? undefined : resolve(options.state, `files-${options.variant}`)
    this.shelf = new FileShelf(folder, saved?.files)
    this.system = saved?.system ?? factorySettings(options.pipelines)
    this.logs = new LogBook(logNames[this.variant], () => this.now())
    this.startModules(saved?.nodes)
    this.current = defaultScenario(licenseComponents(this.variant, this.modules()))
    this.setScenario({ license: this.system.license })
    this.note('INFO', 'started')
  }

  /** The device's time, seconds since 1970; PUT /system/time moves it, and the clock stays. */
  now(): number {
    return this.clock.now() + this.system.clockOffset
  }

  get scenario(): Readonly<Scenario> {
    return this.current
  }

  get phase(): BootPhase {
    if (this.rebootedAt === undefined) return 'ready'
    return bootPhase(this.clock.now() - this.rebootedAt, this.current)
  }

  /** Seconds since the last boot. */
  get uptime(): number {
    return this.clock.now() - (this.rebootedAt ?? this.startedAt)
  }

  /** The last thousand, newest last. */
  get calls(): readonly HandledCall[] {
    return this.handledCalls.slice(-keptCalls)
  }

  /** @param input without long bodies, so that a thousand of them need little memory */
  handled(call: HandledCall): void {
    this.handledCalls.push(call)
    if (this.handledCalls.length >= 2 * keptCalls) this.handledCalls.splice(0, keptCalls)
  }

  /** @throws TypeError a sentence, and nothing is applied */
  setScenario(part: unknown): void {
    const { genicam_connected: before } = this.current
    this.current = mergedScenario(this.current, part)
    const { genicam_connected: after } = this.current
    if (after !== before) {
      const server = `${this.options.nodePrefix}gev_server`
      const done = after ? 'registered' : 'deregistered'
      this.logs.write('gev.log', server, 'INFO', `Control access ${done} for client 127.0.0.1`)
    }
    this.scenarioChanged?.()
  }

  /** Writes into the log of the API. */
  note(level: LogLevel, message: string, component = `${this.options.nodePrefix}api`): void {
    this.logs.write('api.log', component, level, message)
  }

  /** Changes settings of the system. */
  change(settings: Partial<SystemState>): void {
    this.system = { ...this.system, ...settings }
    this.unsaved = true
  }

  /** Something changed that a restart must find again. */
  changed(): void {
    this.unsaved = true
  }

  /** Ends when all changes are on the disk; undefined where there is nothing to wait for. */
  saved(): Promise<void> | undefined {
    if (!this.store || !this.unsaved) return undefined
    this.unsaved = false
    return this.store
      .save(() => this.state())
      .catch((error: unknown) => {
        this.unsaved = true
        throw error
      })
  }

  state(): DeviceState {
    const places = [...this.pipelines].map(([name, { nodes }]) => [name, nodesOf(nodes)] as const)
    return {
      system: this.system,
      nodes: { global: nodesOf(this.global), ...Object.fromEntries(places) },
      files: this.shelf.state(),
    }
  }

  /** All nodes of a name, with or without the prefix: one for each pipeline that has it. */
  node(name: string, pipeline = '0'): RunningModule | undefined {
    const found = (nodes: Nodes | undefined) => nodes?.get(name) ?? nodes?.get(this.options.nodePrefix + name)
    return found(this.pipelines.get(pipeline)?.nodes) ?? found(this.global)
  }

  /** Starts again: with what a restart finds again, the firmware that is set, and the pipelines that are configured. */
  reboot(): void {
    this.note('INFO', 'rebooting')
    const { nodes } = this.state()
    this.change({ firmware: bootedFirmware(this.system.firmware) })
    this.rebootedAt = this.clock.now()
    this.updating = false
    this.streams.clear()
    this.startModules(nodes)
    this.setScenario({ license: this.system.license })
  }

  /** @throws Refusal 400 while another update is under way */
  beginUpdate() {
    if (this.updating) throw new Refusal(400, 'another update is under way')
    this.updating = true
    const boot = this.rebootedAt
    const rebooted = () => this.rebootedAt !== boot
    return {
      /** When the device is stopped altogether. */
      stopped: this.stopping.signal,
      rebooted,
      end: () => {
        if (!rebooted()) this.updating = false
      },
    }
  }

  stop(): void {
    this.stopping.abort()
  }

  private startModules(saved: DeviceState['nodes'] = {}): void {
    const { variant, clock, options } = this
    const around = {
      variant,
      clock,
      nodePrefix: options.nodePrefix,
      seed: options.seed,
      scenario: () => this.current,
      log: this.logs.write.bind(this.logs),
      changed: () => this.changed(),
      templates: (node: string) => this.shelf.ids(templatesOf(node)),
      common: new Map<object, unknown>(),
    }
    this.global = startNodes(modulesOf(variant).global, 'global', around)
    const ofPipeline = { ...around, global: this.global }
    this.pipelines = new Map(
      Object.entries(this.system.pipelines).map(([name, type]) => [
        name,
        { type, nodes: startNodes(modulesOf(variant, type).pipeline, name, ofPipeline) },
      ]),
    )
    for (const [place, nodes] of this.places()) {
      const misfits = restoreNodes(nodes, saved[place])
      for (const misfit of misfits) this.note('WARN', `${misfit}: saved value does not fit, default taken`)
    }
  }

  private places(): [string, Nodes][] {
    return [
      ['global', this.global],
      ...[...this.pipelines].map(([name, { nodes }]): [string, Nodes] => [name, nodes]),
    ]
  }

  private modules() {
    return this.places().flatMap(([, nodes]) => [...nodes.values()].map(({ module }) => module))
  }
}
