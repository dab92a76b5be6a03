import type { Variant } from '../lib/contract'
import type { Clock } from './clock'
import type { LogLevel, ModuleFactory } from './module'
import { seededRandom } from './random'
import { RunningModule } from './running-module'
import type { Scenario } from './scenario'

/** What all modules of a device share. */
export interface Surroundings {
  variant: Variant
  nodePrefix: string
  seed: number
  clock: Clock
  scenario: () => Readonly<Scenario>
  log: (log: string, component: string, level: LogLevel, message: string) => void
  changed: () => void
}

/** Nodes by their names, prefix included. */
export type Nodes = ReadonlyMap<string, RunningModule>

/** @param place pipeline name, or `global`; modules see only those of their own place */
export function startNodes(factories: readonly ModuleFactory[], place: string, around: Surroundings): Nodes {
  const { nodePrefix, seed, log, ...shared } = around
  const nodes = new Map<string, RunningModule>()
  const other = (bareName: string) => nodes.get(nodePrefix + bareName)

  for (const factory of factories) {
    const component = () => nodePrefix + module.name
    const module = factory({
      ...shared,
      random: seededRandom(hash(`${seed}/${place}/${factory.name}`)),
      log: (name, level, message) => log(name, component(), level, message),
      parameter: (name, parameter) => {
        const found = other(name)
        if (!found) throw new Error(`module ${name} is not in pipeline ${place}`)
        return found.parameters.value(parameter)
      },
      module: (name) => other(name)?.module,
      state: (name) => other(name)?.module.state?.(),
      call: (name, service) => other(name)?.callFromInside(service),
    })
    nodes.set(component(), new RunningModule(component(), module, around.scenario))
  }
  return nodes
}

/** FNV-1a, 32 bits. */
const hash = (text: string) => {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return sum >>> 0
}
