import { resolve } from 'node:path'
import type { Variant } from '../../lib/contract'
import type { BootPhase } from './boot-phase'
import { Boots } from './boots'
import type { Hand } from '../cell/hand'
import type { Clock } from '../clock'
import { CallList } from './call-list'
import { DeviceNodes, type Pipeline } from './device-nodes'
import type { DeviceState } from './device-state'
import { FileShelf } from '../storage/file-shelf'
import { identity, serialNumber, type Identity } from './identity'
import { licenseComponents } from './license-components'
import { LogBook } from './log-book'
import { defaultScenario, mergedScenario } from './merge-scenario'
import type { LogLevel } from '../module'
import type { Nodes } from './nodes'
import type { ResolvedOptions } from '../options'
import type { RunningModule } from './running-module'
import { Saving } from './saving'
import type { Scenario } from '../scenario'
import type { SidePorts } from '../side-ports/side-service'
import type { Store } from './store'
import { templatesOf } from '../storage/collections'
import { deviceMotion } from '../motion/device-motion'
import { navigationOf } from '../streams/navigation'
import { streams, type Streams } from '../streams/streams'
import { bootedFirmware, factorySettings, type SystemState } from './system-state'
import { UpdateSlot } from './update-slot'

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
  readonly streams: Streams
  /** Uploaded files. */
  readonly shelf: FileShelf
  system: SystemState
  readonly calls = new CallList()
  private nodes: DeviceNodes
  private readonly followers = new Set<() => void>()
  private current: Scenario = defaultScenario([])
  private readonly boots: Boots
  private readonly saving: Saving
  readonly updates: UpdateSlot
  /** Where it listens beside its API. */
  sidePorts: SidePorts = {}
  /** The robot arm, if it has one. */
  hand: Hand | undefined

  constructor(
    readonly options: ResolvedOptions,
    store?: Store,
    saved?: DeviceState,
  ) {
    this.variant = options.variant
    this.clock = options.clock
    this.boots = new Boots(this.clock, () => this.current)
    this.updates = new UpdateSlot(this.boots)
    this.saving = new Saving(store, () => this.state())
    this.identity = identity(options.model, options.serial ?? saved?.serial ?? serialNumber(options))
    const folder =
      options.state === undefined ? undefined : resolve(options.state, `files-${options.variant}`)
    this.shelf = new FileShelf(folder, saved?.files)
    this.system = saved ? startedAgain(saved.system) : factorySettings(options)
    this.logs = new LogBook(
      logNames[this.variant],
      () => this.now(),
      () => this.clock.now(),
      () => this.current,
      options.nodePrefix,
    )
    this.nodes = this.startNodes(saved?.nodes)
    this.streams = streams({
      clock: this.clock,
      ahead: () => this.system.clockOffset,
      navigation: () => navigationOf(this.node('dynamics')?.module),
      motionAt: (seconds) => deviceMotion(this.node('hand_eye_calibration')?.module)(seconds),
      ready: () => this.phase === 'ready',
    })
    this.current = defaultScenario(licenseComponents(this.variant, this.nodes.modules))
    this.setScenario({ license: this.system.license })
    this.note('INFO', 'started')
    // Its identity stays, even at another port and if nothing else is ever changed.
    if (saved?.serial !== this.identity.serial) this.changed()
  }

  /** The device's time, seconds since 1970; PUT /system/time changes it, but not the clock. */
  now(): number {
    return this.clock.now() + this.system.clockOffset
  }

  get scenario(): Readonly<Scenario> {
    return this.current
  }

  /** Nodes outside pipelines. */
  get global(): Nodes {
    return this.nodes.global
  }

  /** Running pipelines, by name. */
  get pipelines(): ReadonlyMap<string, Pipeline> {
    return this.nodes.pipelines
  }

  get phase(): BootPhase {
    return this.boots.phase
  }

  /** Seconds since the last boot. */
  get uptime(): number {
    return this.boots.uptime
  }

  /** @throws TypeError with a sentence; nothing is applied then */
  setScenario(part: unknown): void {
    const { genicam_connected: before } = this.current
    this.logs.chatUntilNow()
    this.current = mergedScenario(this.current, part)
    const { genicam_connected: after } = this.current
    if (after !== before) {
      const server = `${this.options.nodePrefix}gev_server`
      const done = after ? 'registered' : 'deregistered'
      this.logs.write('gev.log', server, 'INFO', `Control access ${done} for client 127.0.0.1`)
    }
    for (const changed of this.followers) changed()
  }

  /** Calls back after each change of the scenario and each reboot. @returns what ends that */
  onScenario(changed: () => void): () => void {
    this.followers.add(changed)
    return () => void this.followers.delete(changed)
  }

  /** Writes to the log of the API. */
  note(level: LogLevel, message: string, component = `${this.options.nodePrefix}api`): void {
    this.logs.write('api.log', component, level, message)
  }

  /** Changes settings of the system. */
  change(settings: Partial<SystemState>): void {
    this.system = { ...this.system, ...settings }
    this.saving.changed()
  }

  /** Called when something changed that must survive a restart. */
  changed(): void {
    this.saving.changed()
  }

  /** Resolves when all changes are on the disk; undefined if there is nothing to wait for. */
  saved(): Promise<void> | undefined {
    return this.saving.saved()
  }

  state(): DeviceState {
    const { serial } = this.identity
    return { serial, system: this.system, nodes: this.nodes.state(), files: this.shelf.state() }
  }

  /** @param name with or without the prefix; a node of the pipeline takes precedence over a global one */
  node(name: string, pipeline = '0'): RunningModule | undefined {
    return this.nodes.find(name, pipeline)
  }

  /** Restarts with the saved state, the selected firmware and the configured pipelines. */
  reboot(): void {
    this.note('INFO', 'rebooting')
    const kept = this.nodes.state()
    this.change({ firmware: bootedFirmware(this.system.firmware) })
    this.boots.again()
    this.streams.clear()
    this.nodes = this.startNodes(kept)
    this.setScenario({ license: this.system.license })
  }

  /** Starts the background work of a device. @param address that it listens on */
  start(address: string): void {
    this.streams.start(address)
  }

  stop(): void {
    this.updates.stop()
    this.streams.stop()
  }

  private startNodes(saved: DeviceState['nodes'] = {}): DeviceNodes {
    const nodes = new DeviceNodes(this.system.pipelines, {
      variant: this.variant,
      clock: this.clock,
      now: () => this.now(),
      nodePrefix: this.options.nodePrefix,
      seed: this.options.seed,
      scenario: () => this.current,
      log: this.logs.write.bind(this.logs),
      changed: () => this.changed(),
      hand: () => this.hand,
      templates: (node: string) => this.shelf.ids(templatesOf(node)),
      common: new Map<object, unknown>(),
    })
    for (const misfit of nodes.restore(saved))
      this.note('WARN', `${misfit}: saved value does not fit, using the default`)
    return nodes
  }
}

/** Switching on is a boot too: of the selected image. */
const startedAgain = (system: SystemState): SystemState => ({
  ...system,
  firmware: bootedFirmware(system.firmware),
})
