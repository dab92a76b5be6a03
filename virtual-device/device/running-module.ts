import { shaped } from '../../lib/codec/shaped'
import type { NodeInfo, NodeStatus, Service, ServiceAnswer } from '../../lib/contract'
import { checkedArgs } from './check-args'
import { returnCode, returnCodeShape, type Module, type ServiceDefinition } from '../module'
import { ParameterSet } from './parameter-set'
import { assertLicensed } from './permissions'
import { Refusal } from '../refusal'
import type { Scenario } from '../scenario'
import { cut } from '../shown'

/** A module together with the values of its parameters: a node of the device. */
export class RunningModule {
  readonly parameters: ParameterSet
  private readonly services: ReadonlyMap<string, ServiceDefinition>

  constructor(
    /** With the prefix of the device. */
    readonly name: string,
    readonly module: Module,
    private readonly scenario: () => Readonly<Scenario>,
  ) {
    this.parameters = new ParameterSet(name, module, scenario)
    this.services = new Map([...this.resetDefaults(), ...Object.entries(module.services)])
  }

  /** Whether the scenario makes it unresponsive. */
  get stale(): boolean {
    const { stale_nodes } = this.scenario()
    return stale_nodes.includes(this.name) || stale_nodes.includes(this.module.name)
  }

  info(): NodeInfo {
    return {
      name: this.name,
      parameters: [...this.parameters.names],
      services: [...this.services.keys()],
      status: statusWord(this.module, this.stale),
    }
  }

  /** @param time seconds since 1970 */
  status(time: number): NodeStatus {
    return nodeStatus(this.module, this.stale, time)
  }

  describeServices(): Service[] {
    return [...this.services.keys()].map((name) => this.describeService(name))
  }

  describeService(name: string): Service {
    const { description, args, response } = this.service(name)
    return { name, description, args, response }
  }

  call(name: string, args: Readonly<Record<string, unknown>>): ServiceAnswer {
    const service = this.service(name)
    assertLicensed(this.module.license, this.scenario())
    assertLicensed(service.license, this.scenario())
    const checked = checkedArgs(args, service.args, service.required)
    const response = service.call({ args: checked, parameters: this.parameters.values })
    return { name, response: shaped(response, service.response) as Record<string, unknown> }
  }

  /** A call from another module instead of a client. */
  callFromInside(name: string): Record<string, unknown> | undefined {
    return this.services.get(name)?.call({ args: {}, parameters: this.parameters.values })
  }

  private resetDefaults(): [string, ServiceDefinition][] {
    if (!this.parameters.names.length) return []
    const call = () => {
      this.parameters.reset()
      this.module.reset?.()
      return returnCode(0)
    }
    const description = 'Sets all parameters of the node to their defaults.'
    return [['reset_defaults', { description, args: {}, response: returnCodeShape, call }]]
  }

  private service(name: string): ServiceDefinition {
    const service = this.services.get(name)
    if (service) return service
    throw new Refusal(404, `${cut(name, 60)}: the node ${this.name} has no such service`)
  }
}

/**
 * The status word of a node, which describes the process: a module with a status value `state` is `running` in any
 * state, IDLE and FATAL included, because programs read it there. Only a module without one can be `idle`.
 */
function statusWord(module: Module, stale: boolean): string {
  if (stale) return 'stale'
  return module.atRest?.() ? 'idle' : 'running'
}

/** Status and run-time values; the values are reported only while the node runs. @param time seconds since 1970 */
function nodeStatus(module: Module, stale: boolean, time: number): NodeStatus {
  const status = statusWord(module, stale)
  const values = status === 'running' ? Object.entries(module.values?.() ?? {}) : []
  return {
    status,
    timestamp: time,
    values: values.length ? Object.fromEntries(values.map(([name, value]) => [name, String(value)])) : [],
  }
}
