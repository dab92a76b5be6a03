import type { FastifyInstance } from 'fastify'
import { operation, operationIds, type OperationId } from '../lib/contract'
import type { Answers } from './answer'
import { answering, type Answering } from './answering'
import type { Device } from './device'
import { globalNodes } from './handlers/global-nodes'
import { pipelineNodes } from './handlers/pipeline-nodes'
import { routePath } from './routes'

const base = '/api/v1'
/** The first of January 2022, the release that deprecated it. */
const deprecation = { deprecation: '@1640995200', link: '</api/v2>; rel="successor-version"' }

/** Operations on global nodes that are answered here together with those on the nodes of a pipeline. */
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

/** The deprecated first version: every node, those of pipeline 0 too, directly below `/nodes`. */
export function addRoutesV1(app: FastifyInstance, device: Device, answers: Answers): void {
  const add = (id: OperationId, path: string, handler: Answering) =>
    app.route<{ Params: Record<string, string>; Querystring: Record<string, string> }>({
      method: operation(id).method,
      url: base + routePath(path),
      handler: (request, reply) => {
        reply.headers(deprecation)
        handler(request, reply)
      },
    })

  for (const id of operationIds) {
    const { path, variants, beyondSpecification } = operation(id)
    if (beyondSpecification || (variants && !variants.includes(device.variant))) continue
    if (path.startsWith(pipelinePath)) {
      const ofPipeline = answering(id, device, answers, {
        fixed: { pipeline: '0' },
        ...(id === 'listNodes' && { handle: allNodes }),
      })
      const twin = globalTwins[id]
      const ofGlobal = twin && answering(twin, device, answers)
      add(id, path.replace(pipelinePath, '/nodes'), (request, reply) => {
        const { node = '' } = request.params
        if (ofGlobal && device.global.has(node)) ofGlobal(request, reply)
        else ofPipeline(request, reply)
      })
    } else if (!path.startsWith('/nodes') && !path.includes('/pipelines')) {
      add(id, path, answering(id, device, answers))
    }
  }
}
