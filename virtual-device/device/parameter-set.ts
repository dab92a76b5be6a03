import type { Parameter } from '../../lib/contract'
import type { Module } from '../module'
import type { ParameterDefinition, ParameterValue } from '../parameter'
import { parameterRecord } from './parameter-record'
import { assertLicensed, assertNoGenicamClient } from './permissions'
import { Refusal } from '../refusal'
import type { Scenario } from '../scenario'
import { cut } from '../shown'
import { validated } from './validate-parameter'

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
