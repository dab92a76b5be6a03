import { asFloat } from '../../lib/codec/json'
import type { Parameter } from '../../lib/contract'
import type { License, Module } from '../module'
import type { ParameterDefinition, ParameterType, ParameterValue } from '../parameter'
import { noLicense, Refusal, cut, shown } from '../values'
import type { Scenario } from '../scenario'

export interface WrittenValue {
  name: string
  value: unknown
}

/** The parameters of one node and their values. */
export class ParameterSet {
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

  /**
   * Writes all values or, if one of them is invalid, none.
   * @param unknownStatus of the answer to a name that this node does not have
   * @returns the written parameters as they are now
   */
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

  /** Restores saved values. @returns the names of those that no longer fit and stay at their defaults */
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

/**
 * A parameter's record as shown by the device, frozen. Choices are in square brackets in the description, where clients
 * read them; the limits of a string are empty.
 */
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

/** Whether the scenario leaves at least one of the components. */
export const isLicensed = (license: License | undefined, { license: has }: Readonly<Scenario>): boolean =>
  license === undefined || [license].flat().some((component) => has[component] !== false)

/** @param what beginning of the sentence */
export function assertNoGenicamClient(what: string, { genicam_connected }: Readonly<Scenario>): void {
  if (genicam_connected) throw new Refusal(403, `${what}: locked by a running GigE Vision application`)
}

/** A value from a query string, whose type depends on the parameter. */
export class QueryText {
  constructor(readonly text: string) {}
}

const longestText = 1000
const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/**
 * Validates a value for a parameter.
 * @returns the value as stored
 * @throws Refusal 400 naming the parameter, the value and the type, limit or choices
 */
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
      const wanted = parameter.type === 'int32' ? 'an integer' : 'a number'
      if (
        typeof value !== 'number' ||
        !Number.isFinite(value) ||
        (parameter.type === 'int32' && value % 1 !== 0)
      )
        throw refused(`expected ${wanted}, got ${shown(value)}`)
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
