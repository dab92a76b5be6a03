import { basePath, type Method, operation, type OperationId, operationIds } from '../../lib/contract'
import type { Device } from '../device/device'
import { globalNodes, pipelineNodes } from '../handlers/pipeline-nodes'
import { answering, type Answering, type Answers } from './answering'

export interface Route {
  id: OperationId
  method: Method
  /** In the router's notation, `/nodes/:node`. */
  url: string
  handler: Answering
}

/** A route for each operation of the contract that this variant has. */
export const routes = (device: Device, answers: Answers): Route[] =>
  operationsOf(device).map((id) => route(id, basePath, operation(id).path, answering(id, device, answers)))

const operationsOf = ({ variant }: Device): OperationId[] =>
  operationIds.filter((id) => operation(id).variants?.includes(variant) ?? true)

/** @param path in the contract's notation, `/nodes/{node}` */
const route = (id: OperationId, base: string, path: string, handler: Answering): Route => ({
  id,
  method: operation(id).method,
  url: base + path.replace(/\{(\w+)\}/g, ':$1'),
  handler,
})

const base = '/api/v1'
/** January 1, 2022: the release that deprecated it. */
const deprecation = { deprecation: '@1640995200', link: '</api/v2>; rel="successor-version"' }

/** Operations on global nodes that are answered here together with those on pipeline nodes. */
const globalTwins: Partial<Record<OperationId, OperationId>> = {
  getNode: 'getGlobalNode',
  listServices: 'listGlobalServices',
  getService: 'getGlobalService',
  callService: 'callGlobalService',
  getNodeStatus: 'getGlobalNodeStatus',
}
const pipelinePath = '/pipelines/{pipeline}/nodes'

const allNodes = (device: Device) => [
  ...globalNodes.listGlobalNodes(device),
  ...pipelineNodes.listNodes(device, { pipeline: '0' }),
]

/** The deprecated first API version: every node, including those of pipeline 0, directly below `/nodes`. */
export const routesV1 = (device: Device, answers: Answers): Route[] =>
  operationsOf(device).flatMap((id) => {
    const { path, beyondSpecification } = operation(id)
    if (beyondSpecification) return []
    if (path.startsWith(pipelinePath))
      return route(
        id,
        base,
        path.replace(pipelinePath, '/nodes'),
        deprecated(nodeAnswering(id, device, answers)),
      )
    if (path.startsWith('/nodes') || path.includes('/pipelines')) return []
    return route(id, base, path, deprecated(answering(id, device, answers)))
  })

function nodeAnswering(id: OperationId, device: Device, answers: Answers): Answering {
  const handle = id === 'listNodes' ? { handle: allNodes } : {}
  const ofPipeline = answering(id, device, answers, { fixed: { pipeline: '0' }, ...handle })
  const twin = globalTwins[id]
  // Some programs ask every node for its parameters; database nodes have none.
  const ofGlobal = twin
    ? answering(twin, device, answers)
    : id === 'getParameters' && answering(id, device, answers, { fixed: { pipeline: '0' }, handle: () => [] })
  if (!ofGlobal) return ofPipeline
  return (request, reply) => {
    if (device.global.has(request.params.node ?? '')) ofGlobal(request, reply)
    else ofPipeline(request, reply)
  }
}

const deprecated =
  (handler: Answering): Answering =>
  (request, reply) => {
    reply.headers(deprecation)
    handler(request, reply)
  }
