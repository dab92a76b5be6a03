import type { OperationId } from '../../lib/contract'
import { loadContract } from '../shared/load-later'
import { inPipeline, type NodeQuery, type Target } from './known-nodes'

type OnNode = <Answer>(asked: NodeQuery, call: (target: Target) => Promise<Answer>) => Promise<Answer>

interface OwnNodeCall {
  id: OperationId
  input: object
  signal: AbortSignal
}

/**
 * Executes any operation. One on a node uses the device's own name for it and, for a global node, the equivalent
 * operation.
 */
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

/** The equivalent operation for a global node. @throws INVALID_INPUT if there is none */
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
