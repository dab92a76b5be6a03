/** The nodes of a device: which modules it has, by variant and sensor, and where they run. */
import type { Variant } from '../../lib/contract'
import type { ModuleFactory, Environment, Json, LogLevel, Module } from '../module'
import { aprilTagDetect, qrCodeDetect } from '../modules/tag-detect'
import { boxpick, itempick } from '../modules/pick'
import { cadMatch } from '../modules/cadmatch'
import { cameraOf } from '../modules/camera'
import { collisionChecking } from '../modules/collision-check'
import { dynamics } from '../modules/dynamics'
import { gripperDb } from '../records/gripper'
import { handEyeCalibration } from '../modules/hand-eye-calibration'
import { ioControl } from '../modules/io-control'
import { loadCarrier } from '../modules/load-carrier'
import { loadCarrierDb, roiDb } from '../records/records'
import { measure } from '../modules/measure'
import { silhouetteMatch } from '../modules/silhouettematch'
import { slam } from '../modules/slam'
import { stereoCalib, stereoIns, stereoVisodo } from '../modules/stereo-navigation'
import { stereoMatching } from '../modules/stereo-matching'
import { structuredLight, timeOfFlight } from '../modules/time-of-flight'
import type { Hand } from '../cell/cell'
import { type Clock, seededRandom, Refusal } from '../values'
import type { Scenario } from '../scenario'
import type { DeviceState } from './device-state'
import { RunningModule } from './running-module'

const databases = [roiDb, loadCarrierDb, gripperDb]

const everywhere = [stereoCalib, handEyeCalibration, ioControl]

const detection = [
  measure,
  loadCarrier,
  collisionChecking,
  aprilTagDetect,
  qrCodeDetect,
  itempick,
  boxpick,
  silhouetteMatch,
]

const navigation = [dynamics, stereoIns, stereoVisodo, slam]

/** By kind of sensor, for those without stereo matching. */
const depthNodes: Readonly<Record<string, ModuleFactory>> = {
  time_of_flight: timeOfFlight,
  structured_light: structuredLight,
}

/** @param kind of the pipeline's sensor; the single variant has a stereo camera, whatever is configured */
export function modulesOf(
  variant: Variant,
  kind = 'stereo_a',
): { global: ModuleFactory[]; pipeline: ModuleFactory[] } {
  const sensor = variant === 'single' ? 'stereo_a' : kind
  const common = [cameraOf(sensor), depthNodes[sensor] ?? stereoMatching, ...everywhere, ...detection]
  const more = variant === 'single' ? navigation : sensor === 'time_of_flight' ? [] : [cadMatch]
  return { global: databases, pipeline: [...common, ...more] }
}

/** Shared by all modules of a device. */
interface Surroundings {
  variant: Variant
  nodePrefix: string
  seed: number
  clock: Clock
  /** The device's time, seconds since 1970. */
  now: () => number
  scenario: () => Readonly<Scenario>
  log: (log: string, component: string, level: LogLevel, message: string) => void
  changed: () => void
  /** @default there is none */
  hand?: () => Hand | undefined
  /** For the nodes of a pipeline. */
  global?: Nodes
  /** @default none stored */
  templates?: (node: string) => readonly string[]
  /** Shared by all pipelines, by the function that created it. */
  common: Map<object, unknown>
}

/** By name with the prefix. */
export type Nodes = ReadonlyMap<string, RunningModule>

/** @param place pipeline name, or `global`; modules see only nodes in the same place and global ones */
function startNodes(factories: readonly ModuleFactory[], place: string, around: Surroundings): Nodes {
  const { nodePrefix, seed, log, global, common, templates = () => [], ...shared } = around
  const nodes = new Map<string, RunningModule>()
  const other = (bareName: string) => nodes.get(nodePrefix + bareName)
  const inPipeline = new Map<object, unknown>()
  const randomOf = (name: string) => seededRandom(hash(`${seed}/${name}`))

  for (const factory of factories) {
    const component = () => nodePrefix + module.name
    const environment: Environment = {
      ...shared,
      templates,
      random: randomOf(`${place}/${factory.name}`),
      log: (name, level, message) => log(name, component(), level, message),
      parameter: (name, parameter) => {
        const found = other(name)
        if (!found) throw new Error(`module ${name} is not in pipeline ${place}`)
        return found.parameters.value(parameter)
      },
      module: (name) => other(name)?.module,
      state: (name) => other(name)?.module.state?.(),
      call: (name, service) => other(name)?.callFromInside(service),
      stale: (name) => other(name)?.stale ?? false,
      global: (name) => global?.get(nodePrefix + name)?.module,
      ofPipeline: (make) =>
        once(inPipeline, make, () => make({ ...environment, random: randomOf(`${place}/${make.name}`) })),
      ofDevice: (make) =>
        once(common, make, () => make({ ...shared, templates, random: randomOf(make.name) })),
    }
    const module = factory(environment)
    nodes.set(component(), new RunningModule(component(), module, around.scenario))
  }
  return nodes
}

export function once<Thing>(made: Map<object, unknown>, maker: object, make: () => Thing): Thing {
  if (!made.has(maker)) made.set(maker, make())
  return made.get(maker) as Thing
}

/** FNV-1a, 32 bits. */
const hash = (text: string) => {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return sum >>> 0
}

export interface Pipeline {
  type: string
  nodes: Nodes
}

export class DeviceNodes {
  readonly global: Nodes
  readonly pipelines: ReadonlyMap<string, Pipeline>

  constructor(
    configured: Readonly<Record<string, string>>,
    private readonly around: Surroundings,
  ) {
    const { variant } = around
    this.global = startNodes(modulesOf(variant).global, 'global', around)
    const ofPipeline = { ...around, global: this.global }
    this.pipelines = new Map(
      Object.entries(configured).map(([name, type]) => [
        name,
        { type, nodes: startNodes(modulesOf(variant, type).pipeline, name, ofPipeline) },
      ]),
    )
  }

  get modules(): Module[] {
    return this.places().flatMap(([, nodes]) => [...nodes.values()].map(({ module }) => module))
  }

  /** @param name with or without the prefix; a node of the pipeline takes precedence over a global one */
  find(name: string, pipeline: string): RunningModule | undefined {
    const found = (nodes: Nodes | undefined) => nodes?.get(name) ?? nodes?.get(this.around.nodePrefix + name)
    return found(this.pipelines.get(pipeline)?.nodes) ?? found(this.global)
  }

  state(): DeviceState['nodes'] {
    return Object.fromEntries(this.places().map(([place, nodes]) => [place, nodesOf(nodes)]))
  }

  /** @returns the parameters whose saved value no longer fits */
  restore(saved: DeviceState['nodes']): string[] {
    return this.places().flatMap(([place, nodes]) => restoreNodes(nodes, saved[place]))
  }

  private places(): [string, Nodes][] {
    return [
      ['global', this.global],
      ...[...this.pipelines].map(([name, { nodes }]): [string, Nodes] => [name, nodes]),
    ]
  }
}

type SavedNodes = DeviceState['nodes'][string]

const nodesOf = (nodes: Nodes): SavedNodes =>
  Object.fromEntries(
    [...nodes.values()].map(({ module, parameters }) => [
      module.name,
      { parameters: { ...parameters.values }, ...(module.save && { kept: module.save() }) },
    ]),
  )

/** @returns the parameters whose saved value no longer fits */
function restoreNodes(nodes: Nodes, saved: SavedNodes = {}): string[] {
  return [...nodes.values()].flatMap(({ name, module, parameters }) => {
    const state = saved[module.name]
    if (!state) return []
    if (state.kept !== undefined) module.restore?.(state.kept as Json)
    return parameters.restore(state.parameters).map((parameter) => `${name}.${parameter}`)
  })
}

/** By the services that get and set them. */
const kinds = ['preferred_orientation', 'sorting_strategies'] as const

type Preferences = Partial<Record<(typeof kinds)[number], Record<string, unknown>>>

export function preferencesOf(node: RunningModule): Preferences {
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const answer = Object.entries(node.callFromInside(`get_${kind}`) ?? {})
      const stored = Object.fromEntries(answer.filter(([field]) => field !== 'return_code'))
      return answer.length ? [[kind, stored]] : []
    }),
  )
}

/** @throws Refusal for what the node does not have or accept */
export function restorePreferences(node: RunningModule, given: Preferences): void {
  for (const kind of kinds) {
    const stored = given[kind]
    if (!stored) continue
    const { return_code } = node.call(`set_${kind}`, stored).response
    const { value, message } = return_code as { value: number; message: string }
    if (value < 0) throw new Refusal(400, `${kind}: ${message}`)
  }
}
