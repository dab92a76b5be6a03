import { stored, text } from '../../dialog'
import { jsonIn } from '../../forms/leaf-reason'
import { isObject } from '../../is-object'
import { namesIn } from '../../picks/names'
import { suggestions, type PickKind, type OfferQuery } from '../../picks/offers'
import { holds } from '../../../lib/contract/reading/holds'
import { environmentsOf, filled, type Environment } from './environment'

/** A name that a node in the flows uses on its device. */
export interface NameUse {
  node: EditorNode
  /** Instance of the subflow that contains the node. */
  instance?: EditorNode
  kind: PickKind
  name: string
  place: OfferQuery
}

/** A field whose value the device could offer, as described in the dialog of its type. */
interface Field {
  name: string
  kind: PickKind
  /** It takes several names while this rule holds. */
  several: string
  /** It applies only while all these rules hold. */
  when: string[]
  /** The keys of its value are names, or are nodes with such values. */
  table?: 'parameters' | 'nodes'
}

const known = new Map<string, Field[]>()

/**
 * The fixed names that nodes in the flows use on a device; in a subflow, for each of its instances. Names from a
 * message, an expression or the environment of Node-RED itself are unknown here.
 */
export function usesOf(device: string): NameUse[] {
  const nodes: EditorNode[] = []
  RED.nodes.eachNode((node) => {
    const its = text(node['device'])
    const mayUse = its === device || its.includes('${')
    if (mayUse && node.type.startsWith('vision-') && !node['d']) nodes.push(node)
    return true
  })
  return nodes.flatMap((node) =>
    environmentsOf(node)
      .filter(({ lookUp }) => filled(text(node['device']), lookUp) === device)
      .flatMap((environment) => usesIn(node, environment)),
  )
}

function usesIn(node: EditorNode, { instance, lookUp }: Environment): NameUse[] {
  const fixed = (field: string): string | undefined => {
    const kind = text(stored(node, `${field}Type`))
    const value = text(stored(node, field)).trim()
    if (kind === 'env' && !value.includes('${')) return lookUp(value)
    return kind && kind !== 'str' && kind !== 'env' ? undefined : filled(value, lookUp)
  }
  const fields = fieldsOf(node.type)
  const has = (kind: PickKind) => fields.some((field) => field.kind === kind)
  // Without such a field there is no choice: pipeline 0.
  const pipeline = has('pipeline') ? fixed('pipeline') : '0'
  const on = fixed('node')
  const rule = (rules: string) => holds(rules, (field) => text(stored(node, field)))

  const asJson = (field: string): unknown => {
    const kind = text(stored(node, `${field}Type`))
    return kind === 'json' || kind === 'form' ? jsonIn(text(stored(node, field))) : undefined
  }
  const inTable = (field: string): Record<string, unknown> => {
    const given = asJson(field)
    return isObject(given) ? given : {}
  }

  const use = (kind: PickKind, name: string, onNode = on ?? ''): NameUse => ({
    ...{ node, kind, name, place: { pipeline: pipeline ?? '', node: onNode } },
    ...(instance && { instance }),
  })

  const byNode = (values: Record<string, unknown>): NameUse[] =>
    Object.entries(values).flatMap(([its, asked]) => [
      use('node', its),
      ...allIn(isObject(asked) ? Object.keys(asked) : asked).map((name) => use('parameter', name, its)),
    ])

  return fields.flatMap(({ name: field, kind, several, when, table }) => {
    if (!when.every(rule)) return []
    if (inPipelines.has(kind) && pipeline === undefined) return []
    if (table === 'nodes') return byNode(inTable(field))
    const isSeveral = several !== '' && rule(several)
    const given = isSeveral ? asJson(field) : undefined
    if (kind === 'node' && isObject(given)) return byNode(given)
    if (onNodes.has(kind) && !on) return []
    if (table) return Object.keys(inTable(field)).map((name) => use(kind, name))
    const value = given ?? fixed(field)
    if (!value) return []
    const names = isSeveral ? allIn(value) : [value as string]
    return names.map((name) => use(kind, name))
  })
}

/** Several names, as comma-separated text or as a list. */
function allIn(value: unknown): string[] {
  const list: unknown[] = typeof value === 'string' ? namesIn(value) : Array.isArray(value) ? value : []
  return [...new Set(list.filter((name) => typeof name === 'string' && name !== ''))] as string[]
}

const inPipelines: ReadonlySet<PickKind> = new Set(['node', 'parameter', 'service', 'template'])
const onNodes: ReadonlySet<PickKind> = new Set(['parameter', 'service', 'template'])

/** The attributes in every dialog say which of its fields name something on the device. */
function fieldsOf(type: string): Field[] {
  const fields = known.get(type) ?? readFields(type)
  if (fields.length) known.set(type, fields)
  return fields
}

function readFields(type: string): Field[] {
  const template = $('<div>').append($.parseHTML($(`script[data-template-name="${type}"]`).text()))
  const tables = template
    .find('[data-parameters]')
    .get()
    .flatMap(({ dataset }): Field[] => {
      const [name, several] = [dataset['form'] ?? '', '']
      return [
        { name, kind: 'parameter', several, when: [dataset['parameters'] ?? ''], table: 'parameters' },
        { name, kind: 'node', several, when: [dataset['parametersOfNodes'] ?? ''], table: 'nodes' },
      ]
    })
  const fields = template
    .find('input[data-pick]')
    .get()
    .map((input) => ({
      name: input.id.replace(/^node-input-/, ''),
      kind: input.dataset['pick'] as PickKind,
      several: input.dataset['pickSeveral'] ?? '',
      when: $(input)
        .parents('[data-when]')
        .get()
        .map((row) => row.dataset['when'] ?? ''),
    }))
  return [...fields.filter(({ kind }) => !suggestions.has(kind)), ...tables]
}
