import { holds } from '../../lib/contract/reading/values'
import { stored, text, text as asText, isObject } from '../dialog'
import { jsonIn } from '../forms/leaf'
import { namesIn } from '../picks/combobox'
import { type OfferQuery, type PickKind, suggestions } from '../picks/offers'

export interface NameUse {
  node: EditorNode
  /** That contains the node. */
  instance?: EditorNode
  kind: PickKind
  name: string
  place: OfferQuery
}

/** As described in the dialog. */
interface Field {
  name: string
  kind: PickKind
  /** Takes several names under this rule. */
  several: string
  /** All these rules must hold. */
  when: string[]
  /** The keys are names, or nodes with such values. */
  table?: 'parameters' | 'nodes'
}

const known = new Map<string, Field[]>()

/** Once per subflow instance. Names from messages, expressions or Node-RED's own environment are unknown. */
export function usesOf(device: string): NameUse[] {
  const nodes: EditorNode[] = []
  RED.nodes.eachNode((node) => {
    const target = text(node['device'])
    const mayUse = target === device || target.includes('${')
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
  // Without such a field: pipeline 0.
  const pipeline = has('pipeline') ? fixed('pipeline') : '0'
  const on = fixed('node')
  const rule = (rules: string) => holds(rules, (field) => text(stored(node, field)))

  const asJson = (field: string): unknown => {
    const kind = text(stored(node, `${field}Type`))
    return kind === 'json' || kind === 'form' ? jsonIn(text(stored(node, field))) : undefined
  }
  const inTable = (field: string): Record<string, unknown> => {
    const json = asJson(field)
    return isObject(json) ? json : {}
  }

  const use = (kind: PickKind, name: string, onNode = on ?? ''): NameUse => ({
    ...{ node, kind, name, place: { pipeline: pipeline ?? '', node: onNode } },
    ...(instance && { instance }),
  })

  const byNode = (values: Record<string, unknown>): NameUse[] =>
    Object.entries(values).flatMap(([its, parameters]) => [
      use('node', its),
      ...allIn(isObject(parameters) ? Object.keys(parameters) : parameters).map((name) =>
        use('parameter', name, its),
      ),
    ])

  return fields.flatMap(({ name: field, kind, several, when, table }) => {
    if (!when.every(rule)) return []
    if (inPipelines.has(kind) && pipeline === undefined) return []
    if (table === 'nodes') return byNode(inTable(field))
    const isSeveral = several !== '' && rule(several)
    const json = isSeveral ? asJson(field) : undefined
    if (kind === 'node' && isObject(json)) return byNode(json)
    if (onNodes.has(kind) && !on) return []
    if (table) return Object.keys(inTable(field)).map((name) => use(kind, name))
    const value = json ?? fixed(field)
    if (!value) return []
    const names = isSeveral ? allIn(value) : [value as string]
    return names.map((name) => use(kind, name))
  })
}

function allIn(value: unknown): string[] {
  const list: unknown[] = typeof value === 'string' ? namesIn(value) : Array.isArray(value) ? value : []
  return [...new Set(list.filter((name) => typeof name === 'string' && name !== ''))] as string[]
}

const inPipelines: ReadonlySet<PickKind> = new Set(['node', 'parameter', 'service', 'template'])
const onNodes: ReadonlySet<PickKind> = new Set(['parameter', 'service', 'template'])

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

/** The flow or, in a subflow, one of its instances. */
interface Environment {
  instance?: EditorNode
  /** Undefined if only the runtime knows the value. */
  lookUp: Lookup
}

type Lookup = (name: string) => string | undefined

interface Variable {
  name: string
  type?: string
  value?: unknown
}
interface Scope {
  env?: readonly Variable[]
}

const unknown: Lookup = () => undefined

/** None in a subflow without instances. */
function environmentsOf(node: EditorNode): Environment[] {
  const flow = String(node['z'])
  const subflow = RED.nodes.subflow(flow) as Scope | null
  const around: Environment[] = subflow
    ? instancesOf(flow).flatMap((instance) =>
        environmentsOf(instance).map(({ lookUp }) => ({
          instance,
          lookUp: within([...(subflow.env ?? []), ...envOf(instance)], lookUp),
        })),
      )
    : [{ lookUp: within(envOf(RED.nodes.workspace(flow)), global()) }]
  return around.map((environment) => ({ ...environment, lookUp: inGroup(node['g'], environment.lookUp) }))
}

const reference = /\$\{([^{}]*)\}/g

/** Replaces `${NAME}`; undefined if one is unknown. */
function filled(text: string, lookUp: Lookup): string | undefined {
  const values = [...text.matchAll(reference)].map(([, name = '']) => lookUp(name))
  if (values.includes(undefined)) return undefined
  return text.replace(reference, () => values.shift() ?? '')
}

/** Inner groups first. */
function inGroup(id: unknown, around: Lookup): Lookup {
  const group: (Scope & { g?: string }) | null = typeof id === 'string' ? RED.nodes.group(id) : null
  return group ? within(group.env ?? [], inGroup(group.g, around)) : around
}

function global(): Lookup {
  const found: Variable[] = []
  RED.nodes.eachConfig((node) => {
    if (node.type === 'global-config') found.push(...envOf(node))
    return true
  })
  return within(found, unknown)
}

/** Inner variables hide outer ones, whatever their value. */
function within(variables: readonly Variable[], around: Lookup): Lookup {
  if (!variables.length) return around
  const byName = new Map(variables.map((variable) => [variable.name, variable]))
  const under = new Set<string>()

  const lookUp: Lookup = (name) => {
    const variable = byName.get(name)
    if (!variable) return around(name)
    // Circular references have no value.
    if (under.has(name)) return undefined
    under.add(name)
    try {
      return valueOf(variable)
    } finally {
      under.delete(name)
    }
  }

  const valueOf = ({ name, type, value }: Variable): string | undefined => {
    const text = asText(value)
    if (type === 'cred' || type === 'jsonata') return undefined
    if (type === 'conf-type') return filled(text, around)
    if (type !== 'env') return text
    return text.includes('${') ? filled(text, lookUp) : (text === name ? around : lookUp)(text)
  }
  return lookUp
}

function instancesOf(subflow: string): EditorNode[] {
  const found: EditorNode[] = []
  RED.nodes.eachNode((node) => {
    if (node.type === `subflow:${subflow}` && !node['d']) found.push(node)
    return true
  })
  return found
}

const envOf = (node: unknown): readonly Variable[] => (node as Scope | null)?.env ?? []
