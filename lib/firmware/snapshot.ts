import type { Client } from '../client/create-client'
import { innerState } from '../contract/reading/values'

interface NodeState {
  status: string
  /** Inner state, if the module reports one; missing in journals of older versions. */
  state?: string
  /** Values by name. */
  parameters: Record<string, unknown>
}

/** The nodes of all pipelines and their parameters at one moment: `{ '0': { dev_camera: … } }`. */
export type Snapshot = Record<string, Record<string, NodeState>>

type SnapshotPart = 'all' | 'states' | 'parameters'

/** A parameter that has changed; a missing side did not have it. */
export interface Change {
  pipeline: string
  node: string
  parameter: string
  before?: unknown
  after?: unknown
}

/** A node of a pipeline that ran before and no longer works. */
export interface AilingNode {
  pipeline: string
  node: string
  /** `missing` if the device no longer lists it; `FATAL` if it runs and its module has failed. */
  status: string
}

/** Reads something from the device, and repeats while it is not there. */
export type RepeatedRead = <Answer>(read: (signal: AbortSignal) => Promise<Answer>) => Promise<Answer>

/**
 * Reads the nodes of all pipelines, one request at a time, because a device that has just started is busy enough.
 * @param what to read besides the list of nodes: one request for each node that runs, and one for each with parameters
 */
export async function takeSnapshot(
  client: Client,
  ask: RepeatedRead,
  what: SnapshotPart = 'all',
): Promise<Snapshot> {
  const stateOf = async (place: { pipeline: string; node: string }) =>
    innerState((await ask((signal) => client.getNodeStatus(place, { signal }))).values)
  const snapshot: Snapshot = {}
  for (const pipeline of Object.keys(await ask((signal) => client.listPipelines({ signal })))) {
    const nodes: Record<string, NodeState> = (snapshot[pipeline] = {})
    const listed = await ask((signal) => client.listNodes({ pipeline }, { signal }))
    for (const { name: node, status, parameters: names } of listed) {
      const state =
        status === 'running' && what !== 'parameters' ? await stateOf({ pipeline, node }) : undefined
      const read = (signal: AbortSignal) => client.getParameters({ pipeline, node }, { signal })
      const records = names.length > 0 && what !== 'states' ? await ask(read) : []
      const values = records.map((record) => [record.name, record.value] as const)
      nodes[node] = { status, ...(state !== undefined && { state }), parameters: Object.fromEntries(values) }
    }
  }
  return snapshot
}

/**
 * Nodes that no longer work. One that ran and is now idle is waiting to be started, which a restart explains; one that
 * is stale does not work.
 */
export function ailingNodes(before: Snapshot, after: Snapshot): AilingNode[] {
  return everyNode(before).flatMap(([pipeline, node, was]) => {
    const is = after[pipeline]?.[node]
    if (!works(was) || (is && works(is))) return []
    // The process of a failed module still runs.
    const status = is?.state === fatal ? fatal : (is?.status ?? 'missing')
    return [{ pipeline, node, status }]
  })
}

/** Inner state of a module that only a restart can recover. */
const fatal = 'FATAL'
const works = ({ status, state }: NodeState) => working.has(status) && state !== fatal

const working: ReadonlySet<string> = new Set(['running', 'idle'])

/** Parameters that were changed, added or removed. */
export function changesBetween(before: Snapshot, after: Snapshot): Change[] {
  return everyNode(before, after).flatMap(([pipeline, node]) => {
    const was = before[pipeline]?.[node]?.parameters ?? {}
    const is = after[pipeline]?.[node]?.parameters ?? {}
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    const differing = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
    return differing.map((parameter) => ({
      pipeline,
      node,
      parameter,
      ...(parameter in was && { before: was[parameter] }),
      ...(parameter in is && { after: is[parameter] }),
    }))
  })
}

/** Each node once, in whichever snapshots it is. */
function everyNode(...snapshots: Snapshot[]): [pipeline: string, node: string, state: NodeState][] {
  const found = new Map<string, [string, string, NodeState]>()
  for (const snapshot of snapshots)
    for (const [pipeline, nodes] of Object.entries(snapshot))
      for (const [node, state] of Object.entries(nodes)) {
        const key = `${pipeline} ${node}`
        if (!found.has(key)) found.set(key, [pipeline, node, state])
      }
  return [...found.values()]
}
