/** The names that a dialog fixes, and those of them that the device does not have. */
import type { Node, NodeAPI } from 'node-red'
import { holds } from '../../lib/contract/reading/values'
import type { Field, NodeDescription, PickSource, TypedField } from '../shared/fields/description'
import { type FieldKind, fieldReader } from '../shared/read-fields'
import { referenceIn } from '../../lib/contract/reading/form/form-shape'
import { isObject } from '../shared/is-object'
import type { NodeInfo } from '../../lib/contract'
import { codeOf } from '../shared/node-error'
import { type DeviceLists, ownName } from './known-nodes'
import { sentencesOf } from '../sentences'

/** A node of a device, with the parameters and services that are used. */
interface UsedNode {
  node: string
  parameters: readonly string[]
  services: readonly string[]
}

/** Names that a node of a flow always uses, because its dialog fixes them. */
export interface FixedNames {
  /** Empty for global nodes, and if a message may name it. */
  pipeline: string
  nodes: readonly UsedNode[]
  streams: readonly string[]
}

type Stored = Readonly<Record<string, string | number | boolean | undefined>>

/** Sources of a field whose value is the same for every message. */
const fixedKinds: ReadonlySet<unknown> = new Set(['str', 'env', 'json'] satisfies FieldKind[])

/**
 * The names fixed in the dialog by the fields that apply: none if a message, a context or an expression decides. A
 * hidden field is ignored, whatever it still contains.
 */
export function fixedNames(RED: NodeAPI, node: Node, { fields }: NodeDescription, given: object): FixedNames {
  const stored = given as Stored
  const isSo = (rule?: string) => rule !== undefined && holds(rule, (name) => textIn(stored, name))
  const typed = Object.entries<Field>(fields).filter(
    (entry): entry is [string, TypedField] =>
      entry[1].kind === 'typed' && (entry[1].when === undefined || isSo(entry[1].when)),
  )
  const picked = (source: PickSource) =>
    typed
      .filter(([, { pick }]) => pick === source)
      .map(([name, field]) => ({ value: fixed(RED, node, name, stored), isSeveral: isSo(field.severalWhen) }))
  const named = (source: PickSource) =>
    picked(source).flatMap(({ value, isSeveral }) => namesOf(value, isSeveral))

  const tables = typed.flatMap(([name, { form }]) =>
    form?.of === 'parameters' ? [{ form, table: tableIn(stored, name) }] : [],
  )
  const inTable = tables.flatMap(({ form, table }) => (isSo(form.severalWhen) ? Object.keys(table) : []))
  const [byNode] = tables.filter(({ form }) => isSo(form.nodesWhen))

  const [pipeline] = picked('pipeline').map(({ value }) => value)
  const [asked] = picked('node')
  const its = { parameters: [...named('parameter'), ...inTable], services: named('service') }
  const nodes = byNode
    ? usedByNode(byNode.table)
    : isObject(asked?.value)
      ? usedByNode(asked.value)
      : named('node').map((name) => ({ node: name, ...its }))
  const isKnown = typeof pipeline === 'string'
  return {
    pipeline: isKnown ? pipeline : '',
    nodes: isKnown ? nodes : [],
    streams: named('stream'),
  }
}

const textIn = (stored: Stored, name: string): string => String(stored[name] ?? '')

/** Undefined if the value depends on the message, or cannot be read. */
function fixed(RED: NodeAPI, node: Node, name: string, stored: Stored): unknown {
  const kind = stored[`${name}Type`]
  if (!fixedKinds.has(kind)) return undefined
  try {
    const value = fieldReader(RED, node, name, kind as FieldKind, textIn(stored, name)).read({})
    return typeof value === 'string' ? value.trim() : value
  } catch {
    return undefined
  }
}

function namesOf(value: unknown, isSeveral: boolean): string[] {
  if (typeof value === 'string') {
    const names = isSeveral ? value.split(',').map((name) => name.trim()) : [value]
    return names.filter(Boolean)
  }
  return isSeveral && Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

/** The values of a form or of JSON; references in them do not matter, unless the whole value is one. */
function tableIn(stored: Stored, name: string): Record<string, unknown> {
  if (!['form', 'json'].includes(textIn(stored, `${name}Type`))) return {}
  try {
    const table: unknown = JSON.parse(textIn(stored, name))
    return isObject(table) && !referenceIn(table) ? table : {}
  } catch {
    return {}
  }
}

/** Nodes with their parameters, as names or as an object of values. */
const usedByNode = (table: Readonly<Record<string, unknown>>): UsedNode[] =>
  Object.entries(table).map(([node, its]) => ({
    node,
    parameters: isObject(its) ? Object.keys(its) : namesOf(its, true),
    services: [],
  }))

const { say } = sentencesOf('device')

/** The names that the device does not have; empty if that is unknown. */
export async function missingNames(lists: DeviceLists, used: FixedNames): Promise<string[]> {
  const found = await Promise.all([missingNodes(lists, used), missingStreams(lists, used)])
  return found.flat()
}

async function missingStreams(lists: DeviceLists, { streams }: FixedNames): Promise<string[]> {
  if (streams.length === 0) return []
  try {
    const known = await lists.streams()
    return streams.filter((name) => !known.includes(name))
  } catch {
    return []
  }
}

async function missingNodes(lists: DeviceLists, { pipeline, nodes }: FixedNames): Promise<string[]> {
  if (nodes.length === 0) return []
  try {
    // Without a pipeline it is a global node, or one in the pipeline that a message names: all have the same nodes as
    // the first.
    const known = [...(await lists.inPipeline(pipeline || '0')), ...(await lists.global())]
    const names = known.map(({ name }) => name)
    return nodes.flatMap((used) => {
      const own = ownName(used.node, names)
      const info = known.find(({ name }) => name === own)
      if (!info) return [used.node]
      const missing = missingIn(info, used)
      return nodes.length > 1 ? missing.map((name) => `${used.node} ${name}`) : missing
    })
  } catch (error) {
    return ['NOT_FOUND', 'BAD_REQUEST'].includes(codeOf(error) ?? '') && pipeline
      ? [say('result-pipeline', { pipeline })]
      : []
  }
}

const missingIn = (
  info: Pick<NodeInfo, 'parameters' | 'services'>,
  { parameters, services }: UsedNode,
): string[] => [
  ...parameters.filter((name) => !info.parameters.includes(name)),
  ...services.filter((name) => !info.services.includes(name)),
]
