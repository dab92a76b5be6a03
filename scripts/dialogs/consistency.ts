import type { Field, NodeDescription } from '../../nodes/shared/fields/description'
import { defaultsOf } from '../../nodes/shared/fields/checked-fields'

/** Contradictions that types cannot detect: a rule without its field, a default out of bounds. */
export function contradictions(node: NodeDescription): string[] {
  const stored: ReadonlySet<string> = new Set(Object.keys(defaultsOf(node)))
  const second = 'secondOutputWhen' in node ? [node.secondOutputWhen] : []
  const rules = [...Object.values(node.fields).flatMap(rulesOf), ...second]
  return [
    ...rules.flatMap((rule) => (rule === undefined ? [] : wrongIn(rule, node, stored))),
    ...Object.entries(node.fields).flatMap(([name, field]) => wrongDefault(name, field)),
    ...(node.label ?? []).filter((name) => !stored.has(name)).map((name) => `label: no field ${name}`),
  ]
}

function rulesOf(field: Field): (string | undefined)[] {
  if (field.kind === 'record') return field.forms.map(({ when }) => when)
  const hints = typeof field.hint === 'object' ? Object.values(field.hint) : []
  const needed = 'neededWhen' in field ? [field.neededWhen] : []
  const typed = field.kind === 'typed' ? [field.severalWhen, field.patternWhen, field.presentOf?.when] : []
  const form = field.kind === 'typed' && field.form?.of === 'parameters' ? field.form : undefined
  return [field.when, ...hints, ...needed, ...typed, form?.severalWhen, form?.nodesWhen]
}

function wrongIn(rules: string, node: NodeDescription, stored: ReadonlySet<string>): string[] {
  if (rules === 'always') return []
  return rules.split(/[;&]/).flatMap((rule) => {
    const [name = '', values = ''] = rule.trim().split('=')
    const field = node.fields[name]
    if (!stored.has(name)) return [`${rules}: no field ${name}`]
    if (field?.kind !== 'choice') return []
    return values
      .split('|')
      .filter((value) => !field.choices.includes(value))
      .map((value) => `${rules}: ${name} has no choice ${value}`)
  })
}

function wrongDefault(name: string, field: Field): string[] {
  if (field.kind === 'choice') return field.choices.includes(field.default) ? [] : [`${name}: default`]
  if (field.kind !== 'number') return []
  const { default: byDefault, least, most, zero = false } = field
  const fits = byDefault === '' || (byDefault >= least && byDefault <= most) || (zero && byDefault === 0)
  return fits && least < most && !(zero && least <= 0) ? [] : [`${name}: default or bounds`]
}
