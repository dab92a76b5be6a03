/** Names on a device: its nodes, parameters and streams, requested once per connection, and its own name of a node. */
import type { Node, NodeAPI } from 'node-red'
import type { Client } from '../../lib'
import type { NodeInfo, OperationId, Parameter } from '../../lib/contract'
import { causeOf, codeOf } from '../shared/node-error'
import { sentencesOf } from '../sentences'
import { loadContract } from '../shared/load-later'
import { watchAbort } from '../../lib/kernel/timers'
import { holds } from '../../lib/contract/reading/values'
import type { Field, NodeDescription, PickSource, TypedField } from '../shared/fields/description'
import { type FieldKind, fieldReader } from '../shared/read-fields'
import { referenceIn } from '../../lib/contract/reading/form/form-shape'
import { isObject } from '../shared/is-object'

const { invalidInput, nodeError, say } = sentencesOf('device')

interface UnderWay<Result> {
  result: Promise<Result>
  ending: AbortController
  waiting: number
}

/** Shares work between all who need the same at the same time. */
class SharedWork<Result> {
  #underWay = new Map<string, UnderWay<Result>>()

  /**
   * Joins the work with this key, or starts it; it is aborted when the last one leaves.
   * @throws ABORTED as soon as the signal is aborted; errors of the work
   */
  async join(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const shared = this.#underWay.get(key) ?? this.#begin(key, work)
    shared.waiting++
    let leave = (): void => undefined
    const leaving = new Promise<never>((_, reject) => {
      leave = () => reject(nodeError('ABORTED', 'node-closed'))
      watchAbort(signal, leave)
      if (signal.aborted) leave()
    })
    try {
      return await Promise.race([shared.result, leaving])
    } finally {
      signal.removeEventListener('abort', leave)
      if (--shared.waiting === 0) this.#end(key, shared)
    }
  }

  /** Work in progress serves only those who have already joined. */
  forget(): void {
    this.#underWay = new Map()
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<Result>): UnderWay<Result> {
    const ending = new AbortController()
    const shared = { result: work(ending.signal), ending, waiting: 0 }
    this.#underWay.set(key, shared)
    return shared
  }

  #end(key: string, shared: UnderWay<Result>): void {
    shared.ending.abort()
    if (this.#underWay.get(key) === shared) this.#underWay.delete(key)
  }
}

/** `dev_camera` is `xy_camera` on a device whose names all begin with `xy_`; undefined if there is no such node. */
export function ownName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name
  const end = name.indexOf('_')
  if (end < 0) return undefined
  const own = commonPrefix(known) + name.slice(end + 1)
  return known.includes(own) ? own : undefined
}

/** Ends in `_`. */
export function commonPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names
  let length = first.length
  for (const name of others) {
    length = Math.min(length, name.length)
    while (length > 0 && !name.startsWith(first.slice(0, length))) length--
  }
  return first.slice(0, first.slice(0, length).lastIndexOf('_') + 1)
}

export type Target = { scope: 'pipeline'; pipeline: string; node: string } | { scope: 'global'; node: string }

/** Global nodes have no parameters. */
export function inPipeline(target: Target): { pipeline: string; node: string } {
  if (target.scope === 'pipeline') return { pipeline: target.pipeline, node: target.node }
  throw invalidInput('no-parameters', { node: target.node })
}

/** An empty pipeline means a global node. */
export interface NodeQuery {
  pipeline: string
  node: string
  signal: AbortSignal
}

interface Names {
  pipeline: string[]
  global: string[]
  /** Milliseconds. */
  since: number
}

/** Names younger than this, in ms, are not requested again for a wrong name. */
const fresh = 1000

/** Names are used as they are, without a request; only if the device has no such node, its names are requested, once. */
export class KnownNodes {
  readonly #client: Client
  readonly #targets = new Map<string, Target>()
  #names = new Map<string, Names>()
  readonly #lookUps = new SharedWork<Names>()

  constructor(client: Client) {
    this.#client = client
  }

  /** It may be another device after a reconnect. */
  forget(): void {
    this.#targets.clear()
    // A look-up in progress may be for the previous device; its names go into the old map.
    this.#names = new Map()
    this.#lookUps.forget()
  }

  async call<Answer>(query: NodeQuery, call: (target: Target) => Promise<Answer>): Promise<Answer> {
    const { pipeline, node } = query
    const target = this.#targets.get(`${pipeline} ${node}`) ?? targetOf(pipeline, node)
    try {
      return await call(target)
    } catch (error) {
      // NOT_FOUND: nothing was executed, so even a service may be called again.
      if (codeOf(error) !== 'NOT_FOUND') throw error
      return call(await this.#own(query, target, error))
    }
  }

  /** The target to try instead. @throws the error to end with */
  async #own(query: NodeQuery, tried: Target, error: unknown): Promise<Target> {
    const { pipeline, node } = query
    let names = this.#names.get(pipeline) ?? (await this.#ask(query, error))
    let own = find(names, query)
    if ((!own || same(own, tried)) && performance.now() - names.since > fresh) {
      names = await this.#ask(query, error)
      own = find(names, query)
    }
    if (!own) {
      const known = [...names.pipeline, ...names.global].join(', ')
      throw nodeError(
        'NOT_FOUND',
        pipeline ? 'unknown-node' : 'unknown-global-node',
        { node, pipeline, known, device: this.#client.name },
        causeOf(error),
      )
    }
    if (same(own, tried)) throw error
    this.#targets.set(`${pipeline} ${node}`, own)
    return own
  }

  /** One look-up serves all who wait. @throws the error to end with */
  async #ask({ pipeline, signal }: NodeQuery, error: unknown): Promise<Names> {
    try {
      return await this.#lookUps.join(pipeline, signal, (ending) => this.#lookUp(pipeline, ending))
    } catch (problem) {
      throw codeOf(problem) === 'ABORTED' ? problem : error
    }
  }

  async #lookUp(pipeline: string, signal: AbortSignal): Promise<Names> {
    const known = this.#names
    const [inPipeline, global] = await Promise.all([
      pipeline ? this.#client.listNodes({ pipeline }, { signal }) : [],
      this.#client.listGlobalNodes({ signal }),
    ])
    const names = { pipeline: inPipeline.map(nameOf), global: global.map(nameOf), since: performance.now() }
    known.set(pipeline, names)
    return names
  }
}

const nameOf = ({ name }: NodeInfo) => name

const targetOf = (pipeline: string, node: string): Target =>
  pipeline ? { scope: 'pipeline', pipeline, node } : { scope: 'global', node }

function find(names: Names, { pipeline, node }: NodeQuery): Target | undefined {
  const own = ownName(node, [...names.pipeline, ...names.global])
  if (own === undefined) return undefined
  return names.pipeline.includes(own) ? targetOf(pipeline, own) : targetOf('', own)
}

const same = (one: Target, other: Target) => one.scope === other.scope && one.node === other.node

type OnNode = <Answer>(query: NodeQuery, call: (target: Target) => Promise<Answer>) => Promise<Answer>

interface OwnNodeCall {
  id: OperationId
  input: object
  signal: AbortSignal
}

/** Uses the device's own node name and, for a global node, the equivalent operation. */
export function onOwnNode(
  onNode: OnNode,
  { id, input, signal }: OwnNodeCall,
  request: (id: OperationId, input: object) => Promise<unknown>,
): Promise<unknown> {
  const { path } = loadContract().operation(id)
  const { pipeline = '', node, ...others } = input as Record<string, unknown>
  const inPipelines = path.startsWith('/pipelines/')
  if (!/\/nodes\/\{node\}/.test(path) || typeof pipeline !== 'string' || typeof node !== 'string')
    return request(id, input)
  return onNode({ pipeline, node, signal }, (target) =>
    inPipelines && target.scope === 'pipeline'
      ? request(id, { ...input, node: target.node })
      : request(inPipelines ? globalTwin(id, target) : id, { ...others, node: target.node }),
  )
}

/** @throws INVALID_INPUT if there is none */
function globalTwin(id: OperationId, target: Target): OperationId {
  const { operation, operationIds } = loadContract()
  const { method, path } = operation(id)
  const globalPath = path.replace('/pipelines/{pipeline}', '')
  const twin = operationIds.find((other) => {
    const { method: itsMethod, path: itsPath } = operation(other)
    return itsMethod === method && itsPath === globalPath
  })
  if (!twin) inPipeline(target)
  return twin ?? id
}

/** Nodes with parameters and services, and streams; requested once per connection. */
export class DeviceLists {
  readonly #client: Client
  readonly #nodes = new Map<string, Promise<readonly NodeInfo[]>>()
  readonly #streams = new Map<'', Promise<readonly string[]>>()

  constructor(client: Client) {
    this.#client = client
  }

  forget(): void {
    this.#nodes.clear()
    this.#streams.clear()
  }

  inPipeline(pipeline: string): Promise<readonly NodeInfo[]> {
    return once(this.#nodes, pipeline, () => this.#client.listNodes({ pipeline }))
  }

  global(): Promise<readonly NodeInfo[]> {
    return once(this.#nodes, '', () => this.#client.listGlobalNodes())
  }

  streams(): Promise<readonly string[]> {
    return once(this.#streams, '', () => this.#client.listStreams().then(namesOf, noneWhereNotFound))
  }
}

const namesOf = (records: readonly { name: string }[]) => records.map(({ name }) => name)

function noneWhereNotFound(error: unknown): [] {
  if (codeOf(error) === 'NOT_FOUND') return []
  throw error
}

/** Shared; a failure is not kept. */
function once<Key, Answer>(
  known: Map<Key, Promise<Answer>>,
  key: Key,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const before = known.get(key)
  if (before) return before
  const answer = ask()
  known.set(key, answer)
  answer.catch(() => {
    if (known.get(key) === answer) known.delete(key)
  })
  return answer
}

type Records = ReadonlyMap<string, Parameter>

/** Types, limits and choices, which are constant while the device runs. */
export class ParameterRecords {
  readonly #client: Client
  #known = new Map<string, Records>()
  readonly #lookUps = new SharedWork<Records>()

  constructor(client: Client) {
    this.#client = client
  }

  forget(): void {
    this.#known = new Map()
    this.#lookUps.forget()
  }

  known({ pipeline, node }: { pipeline: string; node: string }): Records | undefined {
    return this.#known.get(`${pipeline} ${node}`)
  }

  ask(target: { pipeline: string; node: string }, signal: AbortSignal): Promise<Records> {
    const key = `${target.pipeline} ${target.node}`
    return this.#lookUps.join(key, signal, async (ending) => {
      const known = this.#known
      const records = await this.#client.getParameters(target, { signal: ending })
      const byName = new Map(records.map((record) => [record.name, record]))
      known.set(key, byName)
      return byName
    })
  }
}

interface UsedNode {
  node: string
  parameters: readonly string[]
  services: readonly string[]
}

/** Names fixed in the dialog. */
export interface FixedNames {
  pipeline: string
  nodes: readonly UsedNode[]
  streams: readonly string[]
}

type Stored = Readonly<Record<string, string | number | boolean | undefined>>

/** The same for every message. */
const fixedKinds: ReadonlySet<unknown> = new Set(['str', 'env', 'json'] satisfies FieldKind[])

/** None if a message, a context or an expression decides. Hidden fields are ignored. */
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
    picked(source).flatMap(({ value, isSeveral }) => namesInFields(value, isSeveral))

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

/** Undefined if it depends on the message or cannot be read. */
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

function namesInFields(value: unknown, isSeveral: boolean): string[] {
  if (typeof value === 'string') {
    const names = isSeveral ? value.split(',').map((name) => name.trim()) : [value]
    return names.filter(Boolean)
  }
  return isSeveral && Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

/** References inside a form or JSON do not matter, unless the whole value is one. */
function tableIn(stored: Stored, name: string): Record<string, unknown> {
  if (!['form', 'json'].includes(textIn(stored, `${name}Type`))) return {}
  try {
    const table: unknown = JSON.parse(textIn(stored, name))
    return isObject(table) && !referenceIn(table) ? table : {}
  } catch {
    return {}
  }
}

const usedByNode = (table: Readonly<Record<string, unknown>>): UsedNode[] =>
  Object.entries(table).map(([node, its]) => ({
    node,
    parameters: isObject(its) ? Object.keys(its) : namesInFields(its, true),
    services: [],
  }))

/** Empty if unknown. */
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
    // Without a pipeline: a global node, or one in a pipeline named by a message; all pipelines have the same nodes.
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
