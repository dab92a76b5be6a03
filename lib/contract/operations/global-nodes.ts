import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { NodeInfo, NodeName, NodeStatus } from '../schemas/node'
import { Service, ServiceAnswer, ServiceArgs, ServiceName } from '../schemas/service'

const noNode = { 404: 'no such node' } as const
const noService = { 404: 'no such node or service' } as const

/** Global database nodes: regions of interest, load carriers, grippers. */
export const globalNodes = {
  listGlobalNodes: {
    method: 'GET',
    path: '/nodes',
    summary: 'List the global nodes',
    result: Type.Array(NodeInfo),
    errors: {},
    ubjson: true,
  },
  getGlobalNode: {
    method: 'GET',
    path: '/nodes/{node}',
    summary: 'Read a global node: its services and status',
    params: { node: NodeName },
    result: NodeInfo,
    errors: noNode,
    ubjson: true,
  },
  listGlobalServices: {
    method: 'GET',
    path: '/nodes/{node}/services',
    summary: 'List the services of a global node: with the shapes of their arguments and answers',
    params: { node: NodeName },
    result: Type.Array(Service),
    errors: noNode,
    ubjson: true,
  },
  getGlobalService: {
    method: 'GET',
    path: '/nodes/{node}/services/{service}',
    summary: 'Describe a service of a global node: the shapes of its arguments and answer',
    params: { node: NodeName, service: ServiceName },
    result: Service,
    errors: noService,
    ubjson: true,
  },
  callGlobalService: {
    method: 'PUT',
    path: '/nodes/{node}/services/{service}',
    summary: 'Call a service of a global node',
    params: { node: NodeName, service: ServiceName },
    body: { encoding: 'json', fields: { args: Type.Optional(ServiceArgs) } },
    result: ServiceAnswer,
    errors: { 403: 'for example no valid license', ...noService },
    ubjson: true,
  },
  getGlobalNodeStatus: {
    method: 'GET',
    path: '/nodes/{node}/status',
    summary: 'Read the status of a global node',
    params: { node: NodeName },
    result: NodeStatus,
    errors: noNode,
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
