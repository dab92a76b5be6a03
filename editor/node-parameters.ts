import { decidingNodes, type ParametersByNode } from '../lib/contract/reading/ineffective'
import type { Parameter } from '../lib/contract'
import type { DeviceApi } from './device-api'

/** The parameters of a node as the device has them, and those of the nodes that decide on their effect. */
export interface NodeParameters {
  node: string
  records: readonly Parameter[]
  byNode: ParametersByNode
}

/** Rejects where the node itself cannot be read; another that the device lacks decides nothing. */
export async function nodeParameters(
  api: DeviceApi,
  { pipeline, node }: { pipeline: string; node: string },
  options?: { fresh?: boolean },
): Promise<NodeParameters> {
  const read = (of: string) => api.read('getParameters', { pipeline, node: of }, options)
  const [records, ...others] = await Promise.all([
    read(node),
    ...decidingNodes(node).map(async (other) => [other, await read(other).catch(() => [])] as const),
  ])
  return { node, records, byNode: { ...Object.fromEntries(others), [node]: records } }
}
