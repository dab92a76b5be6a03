/** A module running on a device, with its parameters. */
import type { Shape, Parameter, NodeInfo, NodeStatus, Service, ServiceAnswer } from '../../lib/contract'
import { Float64, setOwn, asFloat } from '../../lib/codec/json'
import {
  type License,
  type Module,
  returnCode,
  returnCodeShape,
  type ServiceDefinition,
  type ParameterDefinition,
  type ParameterType,
  type ParameterValue,
} from '../module'
import { noLicense, Refusal, cut, shown } from '../values'
import type { Scenario } from '../scenario'
import { Kind, OptionalKind, type TSchema, type TypeCheck, TypeCompiler } from '../../lib/typebox'

/**
 * Marks each number that the shape declares as float64 or float32. Missing fields stay missing, and fields outside the
 * shape stay as they are. The value itself is not changed.
 */
export function shaped(value: unknown, shape: Shape): unknown {
  if (typeof shape === 'string')
    return shape.startsWith('float') && typeof value === 'number' ? new Float64(value) : value
  if (typeof value !== 'object' || value === null || value instanceof Float64) return value
  if (isList(shape)) {
    const [each] = shape
    return Array.isArray(value) && each !== undefined ? value.map((item) => shaped(item, each)) : value
  }
  if (Array.isArray(value)) return value
  const result: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    const fieldShape = Object.hasOwn(shape, key) ? shape[key] : undefined
    setOwn(result, key, fieldShape === undefined ? field : shaped(field, fieldShape))
  }
  return result
}

const isList = (shape: Shape): shape is readonly [Shape] | readonly [] => Array.isArray(shape)

export interface WrittenValue {
  name: string
  value: unknown
}

class ParameterSet {
  readonly names: readonly string[]
  private readonly definitions: ReadonlyMap<string, ParameterDefinition>
  private readonly records = new Map<string, Parameter>()
  private present: Readonly<Record<string, ParameterValue>>

  constructor(
    private readonly node: string,
    private readonly module: Module,
    private readonly scenario: () => Readonly<Scenario>,
  ) {
    this.definitions = new Map(module.parameters.map((parameter) => [parameter.name, parameter]))
    this.names = [...this.definitions.keys()]
    this.present = this.defaults()
  }

  get values(): Readonly<Record<string, ParameterValue>> {
    return this.present
  }

  value(name: string): ParameterValue {
    this.definition(name, 404)
    return this.present[name] as ParameterValue
  }

  /** The same object until the value changes. */
  record(name: string): Parameter {
    const known = this.records.get(name)
    if (known) return known
    const record = parameterRecord(this.definition(name, 404), this.value(name))
    this.records.set(name, record)
    return record
  }

  /** Writes all values or, if one of them is invalid, none. @param unknownStatus for an unknown name */
  write(writes: readonly WrittenValue[], unknownStatus: 400 | 404 = 400): Parameter[] {
    const definitions = writes.map(({ name }) => this.definition(name, unknownStatus))
    const names = definitions.map(({ name }) => name)
    if (names.length) this.assertWritable()
    const changes: Record<string, ParameterValue> = {}
    for (const [index, definition] of definitions.entries()) {
      const { name, license } = definition
      if (Object.hasOwn(changes, name)) throw new Refusal(400, `${name}: given more than once`)
      const value = validated(definition, writes[index]?.value)
      if (license && (license.value === undefined || license.value === value))
        assertLicensed(license.component, this.scenario())
      changes[name] = value
    }
    if (names.length) this.keep(changes, names)
    return names.map((name) => this.record(name))
  }

  reset(): void {
    this.assertWritable()
    this.keep(this.defaults(), this.names)
  }

  /** @returns the names of saved values that no longer fit and stay at their defaults */
  restore(saved: Readonly<Record<string, unknown>>): string[] {
    const fitting: Record<string, ParameterValue> = {}
    const misfits: string[] = []
    for (const [name, value] of Object.entries(saved)) {
      try {
        fitting[name] = validated(this.definition(name, 400), value)
      } catch {
        misfits.push(name)
      }
    }
    this.present = { ...this.defaults(), ...fitting }
    this.records.clear()
    return misfits
  }

  private keep(changes: Readonly<Record<string, ParameterValue>>, names: readonly string[]): void {
    const before = this.present
    const now = { ...before, ...changes }
    this.present = now
    this.present = { ...now, ...this.module.written?.(now, before, names) }
    for (const name of this.names) if (this.present[name] !== before[name]) this.records.delete(name)
  }

  private assertWritable(): void {
    if (this.module.lockedByGenicam) assertNoGenicamClient(`parameters of ${this.node}`, this.scenario())
    assertLicensed(this.module.license, this.scenario())
  }

  private definition(name: string, unknownStatus: 400 | 404): ParameterDefinition {
    const definition = this.definitions.get(name)
    if (definition) return definition
    throw new Refusal(unknownStatus, `${cut(name, 60)}: the node ${this.node} has no such parameter`)
  }

  private defaults(): Record<string, ParameterValue> {
    return Object.fromEntries([...this.definitions.values()].map((each) => [each.name, each.default]))
  }
}

/** As shown by the device, frozen. Choices are in square brackets in the description; a string has empty limits. */
function parameterRecord(definition: ParameterDefinition, value: ParameterValue): Parameter {
  const { name, type, min = '', max = '' } = definition
  const typed = (plain: ParameterValue) =>
    type === 'float64' && typeof plain === 'number' ? asFloat(plain) : plain
  return Object.freeze({
    name,
    type,
    value: typed(value),
    default: typed(definition.default),
    min: typed(min),
    max: typed(max),
    description: described(definition),
  })
}

function described({ description, unit, choices }: ParameterDefinition): string {
  const sentence = description.replace(/\.$/, '')
  const withUnit = unit ? `${sentence} (${unit})` : sentence
  return choices ? `${withUnit}: [${choices.join(', ')}]` : withUnit
}

export function assertLicensed(license: License | undefined, scenario: Readonly<Scenario>): void {
  if (!isLicensed(license, scenario)) throw noLicense([license ?? []].flat())
}

/** The scenario leaves at least one of the components. */
export const isLicensed = (license: License | undefined, { license: has }: Readonly<Scenario>): boolean =>
  license === undefined || [license].flat().some((component) => has[component] !== false)

export function assertNoGenicamClient(what: string, { genicam_connected }: Readonly<Scenario>): void {
  if (genicam_connected) throw new Refusal(403, `${what}: locked by a running GigE Vision application`)
}

/** From a query string; its type depends on the parameter. */
export class QueryText {
  constructor(readonly text: string) {}
}

const longestText = 1000

const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** @returns the value as stored @throws Refusal 400 naming the parameter, the value and the type, limit or choices */
function validated(parameter: ParameterDefinition, given: unknown): ParameterValue {
  const value = given instanceof QueryText ? fromText(given.text, parameter.type) : given
  const refused = (why: string) => new Refusal(400, `${parameter.name}: ${why}`)
  switch (parameter.type) {
    case 'bool':
      if (typeof value !== 'boolean') throw refused(`expected true or false, got ${shown(value)}`)
      return value
    case 'string':
      if (typeof value !== 'string') throw refused(`expected a string, got ${shown(value)}`)
      if (parameter.choices && !parameter.choices.includes(value))
        throw refused(`${shown(value)} must be one of ${parameter.choices.join(', ')}`)
      if (value.length > longestText) throw refused(`longer than ${longestText} characters`)
      return value
    case 'int32':
    case 'float64': {
      const expected = parameter.type === 'int32' ? 'an integer' : 'a number'
      if (
        typeof value !== 'number' ||
        !Number.isFinite(value) ||
        (parameter.type === 'int32' && value % 1 !== 0)
      )
        throw refused(`expected ${expected}, got ${shown(value)}`)
      const unit = parameter.unit ? ` ${parameter.unit}` : ''
      if (typeof parameter.max === 'number' && value > parameter.max)
        throw refused(`${value} is above the maximum of ${parameter.max}${unit}`)
      if (typeof parameter.min === 'number' && value < parameter.min)
        throw refused(`${value} is below the minimum of ${parameter.min}${unit}`)
      return value
    }
  }
}

/** Text that cannot be converted is refused as text. */
function fromText(text: string, type: ParameterType): unknown {
  if (type === 'string') return text
  if (type === 'bool') {
    if (/^(true|1)$/i.test(text)) return true
    return /^(false|0)$/i.test(text) ? false : text
  }
  return number.test(text) ? Number(text) : text
}

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
 * The status word describes the process: a module with a status value `state` is `running` in any state, IDLE and FATAL
 * included, because programs read it there. Only a module without one can be `idle`.
 */
function statusWord(module: Module, stale: boolean): string {
  if (stale) return 'stale'
  return module.atRest?.() ? 'idle' : 'running'
}

/** Values are reported only while the node runs. @param time seconds since 1970 */
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
 * The arguments in the shape; others are removed. @param required paths of required fields, `pose.position.x` @throws
 * Refusal 400 naming the field and its type
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

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** Undefined stays undefined if the field is optional. @throws Refusal 400 naming the field */
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
