/**
 * The device itself: nodes, parameters, logs, system state, backup, and the state across restarts. In: parsed requests.
 * Out: answers and changed state.
 */
import { resolve } from 'node:path'
import type { OperationId, Variant } from '../../lib/contract'
import type { Hand } from '../cell/cell'
import { type Clock, seededRandom, Refusal } from '../values'
import type { LogLevel, Module } from '../module'
import { deviceMotion } from '../motion'
import type { ResolvedOptions } from '../options'
import { defaultScenario, mergedScenario, type Scenario } from '../scenario'
import type { SidePorts } from '../side-ports'
import {
  bootedFirmware,
  type DeviceState,
  factorySettings,
  Saving,
  type SystemState,
  templatesOf,
  FileShelf,
  type Store,
} from './device-state'
import { navigationOf, streams, type Streams } from '../streams/streams'
import { DeviceNodes, type Pipeline, type Nodes } from './nodes'
import { LogBook } from './log-book'
import type { RunningModule } from './running-module'

const logNames: Readonly<Record<Variant, readonly string[]>> = {
  single: ['api.log', 'stereo.log', 'camera.log', 'dynamics.log', 'gev.log'],
  multi: ['api.log', 'stereo.log', 'camera.log', 'gev.log'],
}

export class Device {
  readonly variant: Variant
  readonly clock: Clock
  readonly identity: Identity
  readonly logs: LogBook
  readonly streams: Streams
  readonly shelf: FileShelf
  system: SystemState
  readonly calls = new CallList()
  private nodes: DeviceNodes
  private readonly followers = new Set<() => void>()
  private current: Scenario = defaultScenario([])
  private readonly boots: Boots
  private readonly saving: Saving
  readonly updates: UpdateSlot
  /** Its ports beside the API. */
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

  get global(): Nodes {
    return this.nodes.global
  }

  /** By name. */
  get pipelines(): ReadonlyMap<string, Pipeline> {
    return this.nodes.pipelines
  }

  get phase(): BootPhase {
    return this.boots.phase
  }

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

  /** @returns a function that unsubscribes */
  onScenario(changed: () => void): () => void {
    this.followers.add(changed)
    return () => void this.followers.delete(changed)
  }

  /** Writes to the log of the API. */
  note(level: LogLevel, message: string, component = `${this.options.nodePrefix}api`): void {
    this.logs.write('api.log', component, level, message)
  }

  change(settings: Partial<SystemState>): void {
    this.system = { ...this.system, ...settings }
    this.saving.changed()
  }

  /** Something that must survive a restart has changed. */
  changed(): void {
    this.saving.changed()
  }

  /** Resolves when all changes are saved; undefined if there is nothing to wait for. */
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

  reboot(): void {
    this.note('INFO', 'rebooting')
    const saved = this.nodes.state()
    this.change({ firmware: bootedFirmware(this.system.firmware) })
    this.boots.again()
    this.streams.clear()
    this.nodes = this.startNodes(saved)
    this.setScenario({ license: this.system.license })
  }

  /** Starts the background work. @param address that it listens on */
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

/** Power-on is a boot too: of the selected image. */
const startedAgain = (system: SystemState): SystemState => ({
  ...system,
  firmware: bootedFirmware(system.firmware),
})

class Boots {
  private readonly startedAt: number
  private rebootedAt: number | undefined
  private count = 1

  constructor(
    private readonly clock: Clock,
    private readonly scenario: () => Readonly<Scenario>,
  ) {
    this.startedAt = clock.now()
  }

  again(): void {
    this.rebootedAt = this.clock.now()
    this.count += 1
  }

  /** Power-on takes no time here; a reboot does. */
  get phase(): BootPhase {
    if (this.rebootedAt === undefined) return 'ready'
    return bootPhase(this.clock.now() - this.rebootedAt, this.scenario())
  }

  get uptime(): number {
    return this.clock.now() - (this.rebootedAt ?? this.startedAt)
  }

  /** @returns a function that reports a reboot since now */
  watch(): () => boolean {
    const { count } = this
    return () => this.count !== count
  }
}

const gone = 0.5 // seconds without any answer

/** `gone`: connections are reset; `front`: the front end answers 502; `modules`: some modules are not running yet. */
type BootPhase = 'gone' | 'front' | 'modules' | 'ready'

function bootPhase(
  elapsed: number,
  { boot_seconds, boot_502_seconds }: Pick<Scenario, 'boot_seconds' | 'boot_502_seconds'>,
): BootPhase {
  if (elapsed >= boot_seconds) return 'ready'
  if (elapsed < gone) return 'gone'
  return elapsed < gone + boot_502_seconds ? 'front' : 'modules'
}

/** An answered request: its input except for long bodies, and the HTTP status. */
export interface HandledCall {
  operation: OperationId
  input: object
  status: number
}

const most = 1000

class CallList {
  private readonly calls: HandledCall[] = []

  /** @param call without long bodies in its input, so that a thousand of them need little memory */
  add(call: HandledCall): void {
    this.calls.push(call)
    if (this.calls.length >= 2 * most) this.calls.splice(0, most)
  }

  list(): readonly HandledCall[] {
    return this.calls.slice(-most)
  }
}

interface Identity {
  model: string
  serial: string
  /** `<model>-<serial>` */
  hostname: string
  mac: string
  dongle: string
}

interface IdentityOptions {
  seed: number
  host: string
  /** 0 is any free port. */
  port: number
}

/** Equivalent addresses of one device, whether the network may reach it or not. */
const usual: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '::'])

/** The same for the same serial number. */
function identity(model: string, serial: string): Identity {
  const digits = digitsFrom(hashed(serial))
  // The second bit of the first byte marks a locally administered address.
  const mac = ['02', ...Array.from({ length: 5 }, () => digits(2, 16))].join(':')
  return { model, serial, hostname: `${model}-${serial}`, mac, dongle: `${digits(1, 10)}-${digits(7, 10)}` }
}

/** Differs between the ports of a machine, and is the same at each start. On any free port, it depends on the seed only. */
function serialNumber({ seed, host, port }: IdentityOptions): string {
  const place = port === 0 ? 0 : hashed(usual.has(host) ? `${port}` : `${host} ${port}`)
  return `0${digitsFrom(seed + place)(9, 10)}`
}

const digitsFrom = (seed: number) => {
  const random = seededRandom(seed)
  return (count: number, base: number) =>
    Array.from({ length: count }, () => Math.floor(random() * base).toString(base)).join('')
}

/** FNV-1a, 32 bits. */
const hashed = (text: string) =>
  Buffer.from(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5)

/** Allows one firmware update at a time; a reboot ends it. */
class UpdateSlot {
  private readonly stopping = new AbortController()
  /** The device was rebooted since the running update began. */
  private rebooted: (() => boolean) | undefined

  constructor(private readonly boots: Boots) {}

  /** @throws Refusal 400 while another update is in progress */
  take() {
    if (this.rebooted && !this.rebooted()) throw new Refusal(400, 'another update is in progress')
    const rebooted = (this.rebooted = this.boots.watch())
    return {
      stopped: this.stopping.signal,
      rebooted,
      end: () => {
        if (this.rebooted === rebooted) this.rebooted = undefined
      },
    }
  }

  stop(): void {
    this.stopping.abort()
  }
}

const alwaysThere: Readonly<Record<Variant, readonly string[]>> = {
  single: [
    'calibration',
    'fusion',
    'hand_eye_calibration',
    'rectification',
    'self_calibration',
    'slam',
    'stereo',
    'svo',
  ],
  multi: ['generic_robot_interface', 'hand_eye_calibration', 'rectification', 'stereo'],
}

/** Those of the specification and those that the modules require. */
const licenseComponents = (variant: Variant, modules: readonly Module[]): string[] => {
  const required = modules.flatMap(({ license, extensions = [], parameters, services }) => [
    ...[license ?? []].flat(),
    ...extensions,
    ...parameters.map((parameter) => parameter.license?.component),
    ...Object.values(services).flatMap((service) => service.license),
  ])
  const named = required.filter((component) => component !== undefined)
  return [...new Set([...alwaysThere[variant], ...named.sort()])]
}
