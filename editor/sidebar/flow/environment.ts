import { text as asText } from '../../dialog'

/** Where a node runs: in its flow or, in a subflow, in one of its instances. */
export interface Environment {
  /** The instance of the subflow. */
  instance?: EditorNode
  /** The value of an environment variable; undefined if only the runtime knows it. */
  lookUp: Lookup
}

type Lookup = (name: string) => string | undefined

/** A variable of a flow, a group, a subflow or one of its instances. */
interface Variable {
  name: string
  type?: string
  value?: unknown
}
interface Scope {
  env?: readonly Variable[]
}

const unknown: Lookup = () => undefined

/** The environments in which a node runs; none for a node in a subflow without instances. */
export function environmentsOf(node: EditorNode): Environment[] {
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

/** The text with every `${NAME}` replaced; undefined if one of them is unknown. */
export function filled(text: string, lookUp: Lookup): string | undefined {
  const values = [...text.matchAll(reference)].map(([, name = '']) => lookUp(name))
  if (values.includes(undefined)) return undefined
  return text.replace(reference, () => values.shift() ?? '')
}

/** Each group is searched before the one around it. */
function inGroup(id: unknown, around: Lookup): Lookup {
  const group: (Scope & { g?: string }) | null = typeof id === 'string' ? RED.nodes.group(id) : null
  return group ? within(group.env ?? [], inGroup(group.g, around)) : around
}

/** Variables of all flows. */
function global(): Lookup {
  const found: Variable[] = []
  RED.nodes.eachConfig((node) => {
    if (node.type === 'global-config') found.push(...envOf(node))
    return true
  })
  return within(found, unknown)
}

/** As Node-RED evaluates them: an inner variable hides an outer one of the same name, whatever its value. */
function within(variables: readonly Variable[], around: Lookup): Lookup {
  if (!variables.length) return around
  const byName = new Map(variables.map((variable) => [variable.name, variable]))
  const under = new Set<string>()

  const lookUp: Lookup = (name) => {
    const variable = byName.get(name)
    if (!variable) return around(name)
    // Variables with a circular reference have no value.
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
