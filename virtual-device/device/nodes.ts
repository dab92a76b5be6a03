import type { Variant } from '../../lib/contract'
import type { Hand } from '../cell/hand'
import type { Clock } from '../clock'
import type { Environment, LogLevel, ModuleFactory } from '../module'
import { seededRandom } from '../random'
import { RunningModule } from './running-module'
import type { Scenario } from '../scenario'

/** What all modules of a device share. */
export interface Surroundings {
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
  /** The global nodes, for the nodes of a pipeline. */
  global?: Nodes
  /** @default none stored */
  templates?: (node: string) => readonly string[]
  /** What the modules of all pipelines share, by the function that created it. */
  common: Map<object, unknown>
}

/** Nodes by their names, prefix included. */
export type Nodes = ReadonlyMap<string, RunningModule>

/** @param place pipeline name, or `global`; modules see only nodes in the same place and global ones */
export function startNodes(factories: readonly ModuleFactory[], place: string, around: Surroundings): Nodes {
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

/** The result of the first call of `make`. */
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
