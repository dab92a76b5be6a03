import { shaped } from '../../lib/codec/shaped'
import type { NodeInfo, NodeStatus, Service, ServiceAnswer, Shape } from '../../lib/contract'
import { Kind, OptionalKind, type TSchema, type TypeCheck, TypeCompiler } from '../../lib/typebox'
import { type Module, returnCode, returnCodeShape, type ServiceDefinition } from '../module'
import { Refusal, cut, shown } from '../values'
import type { Scenario } from '../scenario'
import { assertLicensed, ParameterSet } from './parameter-set'

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

const integers: Readonly<Record<string, readonly [number, number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint64: [0, Number.MAX_SAFE_INTEGER],
}

/**
 * The arguments in the shape; others are removed.
 * @param required paths of required fields, `pose.position.x`
 * @throws Refusal 400 naming the field and its type
 */
function checkedArgs(
  args: Readonly<Record<string, unknown>>,
  shape: Shape,
  required: readonly string[] = [],
): Record<string, unknown> {
  const checked = check(args, shape, 'args') as Record<string, unknown>
  for (const path of required) {
    let field: unknown = checked
    let soFar = 'args'
    for (const key of path.split('.')) {
      field = (field as Record<string, unknown>)[key]
      soFar += `.${key}`
      if (field === undefined) throw new Refusal(400, `${soFar}: missing`)
    }
  }
  return checked
}

function check(value: unknown, shape: Shape, path: string): unknown {
  if (typeof shape === 'string') return checkLeaf(value, shape, path)
  if (isList(shape)) {
    if (!Array.isArray(value)) throw wrong(path, 'an array', value)
    const [each] = shape
    return each === undefined ? value : value.map((item, index) => check(item, each, `${path}[${index}]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(path, 'an object', value)
  const checked: Record<string, unknown> = {}
  for (const [key, fieldShape] of Object.entries(shape)) {
    const field = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
    if (field !== undefined) checked[key] = check(field, fieldShape, `${path}.${key}`)
  }
  return checked
}

function checkLeaf(value: unknown, type: string, path: string): unknown {
  const limits = integers[type]
  if (limits) {
    const number = typeof value === 'bigint' ? Number(value) : value
    if (typeof number !== 'number' || !Number.isInteger(number)) throw wrong(path, 'an integer', value)
    const [min, max] = limits
    if (number < min || number > max)
      throw new Refusal(400, `${path}: ${number} is out of range for ${type}, ${min} to ${max}`)
    return number
  }
  switch (type) {
    case 'float64':
    case 'float32':
      if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(path, 'a number', value)
      return value
    case 'bool':
      if (typeof value !== 'boolean') throw wrong(path, 'true or false', value)
      return value
    case 'string':
      if (typeof value !== 'string') throw wrong(path, 'a string', value)
      return value
    default:
      return value
  }
}

const wrong = (path: string, expected: string, value: unknown) =>
  new Refusal(400, `${path}: expected ${expected}, got ${shown(value)}`)

const isList = (shape: Shape): shape is readonly [Shape] | readonly [] => Array.isArray(shape)

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()

/**
 * Checks a value. Undefined stays undefined if the field is optional.
 * @throws Refusal 400 naming the field
 */
export function checkedField(name: string, schema: TSchema, given: unknown): unknown {
  if (given === undefined) {
    if (OptionalKind in schema) return undefined
    throw new Refusal(400, `${name}: missing`)
  }
  // Some serializers write an empty object as an empty array.
  const value = schema[Kind] === 'Record' && Array.isArray(given) && !given.length ? {} : given
  let check = compiled.get(schema)
  if (!check) compiled.set(schema, (check = TypeCompiler.Compile(schema)))
  if (check.Check(value)) return value
  const error = check.Errors(value).First()
  const path = cut((error?.path ?? '').replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.'), 100)
  throw new Refusal(400, `${name}${path}: ${shown(error?.value)} is not valid (${error?.message ?? ''})`)
}
