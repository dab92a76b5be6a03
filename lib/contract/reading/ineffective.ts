import type { Parameter } from '../schemas/parameter'
import { ineffectiveRules, type IneffectiveCause } from './ineffective-rules'

/** The parameters of nodes as the device has them; those of a node that it does not have may be missing. */
export type ParametersByNode = Readonly<Record<string, readonly Parameter[]>>

/** What makes a parameter ineffective at present. */
export interface IneffectiveBy extends Pick<IneffectiveCause, 'unlessCallHas'> {
  record: Parameter
  /** The node that has it, where that is another one. */
  node?: string
}

/**
 * The parameter whose present value makes another one ineffective: `exp_auto` for `exp_value`, while it is on. Undefined
 * where the other one has its effect, or nothing is known.
 * @param parameters those of the node, and of the nodes of `decidingNodes`
 */
export function madeIneffectiveBy(
  node: string,
  parameter: string,
  parameters: ParametersByNode,
): IneffectiveBy | undefined {
  const { rules, prefix } = known(node)
  for (const { parameters: affected, causes } of rules) {
    if (!affected.includes(parameter)) continue
    for (const { name, values, without, of, unlessCallHas } of causes) {
      const holder = of === undefined ? node : prefix + of
      const present = (wanted: string) => parameters[holder]?.find((record) => record.name === wanted)
      const record = present(name)
      const counts = record && !(without !== undefined && present(without))
      if (counts && values.includes(record.value))
        return { record, ...(of !== undefined && { node: holder }), ...(unlessCallHas && { unlessCallHas }) }
    }
  }
  return undefined
}

/** Further nodes whose parameters decide whether some of this one have an effect: `dev_camera` for `dev_stereomatching`. */
export function decidingNodes(node: string): string[] {
  const { rules, prefix } = known(node)
  const others = rules.flatMap(({ causes }) =>
    causes.flatMap(({ of }) => (of === undefined ? [] : [prefix + of])),
  )
  return [...new Set(others)]
}

/** Nodes differ by their prefix from one brand to another: `dev_camera`, `xy_camera`. */
function known(node: string) {
  const module =
    Object.keys(ineffectiveRules).find((name) => node === name || node.endsWith(`_${name}`)) ?? ''
  return { rules: ineffectiveRules[module] ?? [], prefix: node.slice(0, node.length - module.length) }
}
