import { Value } from '../../lib/typebox'
import type { Variant } from '../../lib/contract'
import { manualClock, seededRandom } from '../../virtual-device/values'
import type { Environment, Json, Module, ParameterValue } from '../../virtual-device/module'
import { modulesOf, once } from '../../virtual-device/device/nodes'
import { Scenario } from '../../virtual-device/scenario'

type Values = Record<string, ParameterValue>
type ServiceReply = Record<string, unknown> & { return_code: { value: number; message: string } }

/** By name, so that other shared parts do not change the random numbers. */
const numberOf = ({ name }: { name: string }): number =>
  100 + (Array.from(name).reduce((sum, letter) => 31 * sum + letter.charCodeAt(0), 0) % 800)

/** All modules of a device with one pipeline, without server, on a manual clock. */
export function moduleBench(
  variant: Variant = 'single',
  clock = manualClock(),
  { kind = 'stereo_a', seed = 0 } = {},
) {
  const stored = new Map<string, string[]>()
  const common = new Map<object, unknown>()
  const scenario = Value.Create(Scenario)
  const modules = new Map<string, Module>()
  const parameters = new Map<string, Values>()
  let changes = 0

  const module = (name: string): Module => {
    const found = modules.get(name)
    if (!found) throw new Error(`no module ${name}`)
    return found
  }
  const valuesOf = (name: string): Values => {
    const found = parameters.get(name)
    if (!found) throw new Error(`no module ${name}`)
    return found
  }
  const value = (name: string, parameter: string): ParameterValue => {
    const found = valuesOf(name)[parameter]
    if (found === undefined) throw new Error(`no parameter ${parameter} of ${name}`)
    return found
  }
  const call = (name: string, service: string, args: Record<string, unknown> = {}): ServiceReply => {
    const definition = module(name).services[service]
    if (!definition) throw new Error(`no service ${service} of ${name}`)
    return definition.call({ args, parameters: valuesOf(name) }) as ServiceReply
  }

  const changed = () => {
    changes += 1
  }
  const environment = (index: number): Environment => ({
    variant,
    clock,
    now: () => clock.now(),
    random: seededRandom(seed * 1000 + index),
    scenario: () => scenario,
    log: () => undefined,
    parameter: value,
    module: (name) => modules.get(name),
    state: (name) => modules.get(name)?.state?.(),
    call: (name, service) => (modules.get(name)?.services[service] ? call(name, service) : undefined),
    stale: (name) => scenario.stale_nodes.includes(name),
    global: (name) => modules.get(name),
    templates: (node) => stored.get(node) ?? [],
    ofPipeline: (make) => once(common, make, () => make(environment(numberOf(make)))),
    ofDevice: (make) => once(common, make, () => make(environment(numberOf(make)))),
    changed,
  })
  const { global, pipeline } = modulesOf(variant, kind)
  for (const [index, factory] of [...global, ...pipeline].entries()) {
    const made = factory(environment(index))
    modules.set(made.name, made)
    parameters.set(made.name, Object.fromEntries(made.parameters.map((each) => [each.name, each.default])))
  }

  return {
    clock,
    scenario,
    names: () => [...modules.keys()],
    module,
    value,
    call,
    /** Of a service's answer. */
    code: (name: string, service: string, args?: Record<string, unknown>) =>
      call(name, service, args).return_code.value,
    state: (name: string) => module(name).state?.(),
    status: (name: string): Record<string, string | number> => module(name).values?.() ?? {},
    set: (name: string, written: Values) => {
      const before = { ...valuesOf(name) }
      const now = { ...before, ...written }
      parameters.set(name, { ...now, ...module(name).written?.(now, before, Object.keys(written)) })
    },
    /** As if uploaded. */
    store: (node: string, ...templates: string[]) => stored.set(node, templates),
    /** Requests to save. */
    changes: () => changes,
    /** As after a restart. */
    restoreFrom: (other: { module: (name: string) => Module }) => {
      for (const [name, each] of modules) {
        const saved = other.module(name).save?.()
        if (saved !== undefined) each.restore?.(JSON.parse(JSON.stringify(saved)) as Json)
      }
    },
  }
}
