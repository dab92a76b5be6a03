import { Type } from '@sinclair/typebox'
import type { Operation } from '../operation'
import { NodeInfo, NodeName, NodeStatus } from '../schemas/node'
import { Service, ServiceAnswer, ServiceArgs, ServiceName } from '../schemas/service'

const noNode = { 404: 'no such node' } as const
const noService = { 404: 'no such node or service' } as const

/** Global database nodes: regions of interest, load carriers, grippers. */
export const globalNodes = {
  /** Lists the global nodes. */
  listGlobalNodes: {
    method: 'GET',
    path: '/nodes',
    summary: 'Lists the global nodes.',
    result: Type.Array(NodeInfo),
    errors: {},
    ubjson: true,
  },
  /**
   * Reads what a global node offers, and its status.
   * @throws VisionError 404 no such node
   */
  getGlobalNode: {
    method: 'GET',
    path: '/nodes/{node}',
    summary: 'Reads what a global node offers, and its status.',
    params: { node: NodeName },
    result: NodeInfo,
    errors: noNode,
    ubjson: true,
  },
  /**
   * Lists the services of a global node with the shapes of their arguments and answers.
   * @throws VisionError 404 no such node
   */
  listGlobalServices: {
    method: 'GET',
    path: '/nodes/{node}/services',
    summary: 'Lists the services of a global node with the shapes of their arguments and answers.',
    params: { node: NodeName },
    result: Type.Array(Service),
    errors: noNode,
    ubjson: true,
  },
  /**
   * Describes one service of a global node.
   * @throws VisionError 404 no such node or service
   */
  getGlobalService: {
    method: 'GET',
    path: '/nodes/{node}/services/{service}',
    summary: 'Describes one service of a global node.',
    params: { node: NodeName, service: ServiceName },
    result: Service,
    errors: noService,
    ubjson: true,
  },
  /**
   * Calls a service of a global node.
   * @throws VisionError 403 for example no valid license; 404 no such node or service
   */
  callGlobalService: {
    method: 'PUT',
    path: '/nodes/{node}/services/{service}',
    summary: 'Calls a service of a global node.',
    params: { node: NodeName, service: ServiceName },
    body: { encoding: 'json', fields: { args: Type.Optional(ServiceArgs) } },
    result: ServiceAnswer,
    errors: { 403: 'for example no valid license', ...noService },
    ubjson: true,
  },
  /**
   * Reads the status of a global node.
   * @throws VisionError 404 no such node
   */
  getGlobalNodeStatus: {
    method: 'GET',
    path: '/nodes/{node}/status',
    summary: 'Reads the status of a global node.',
    params: { node: NodeName },
    result: NodeStatus,
    errors: noNode,
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
