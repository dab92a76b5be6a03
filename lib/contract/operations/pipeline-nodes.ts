import { Type } from '@sinclair/typebox'
import type { Operation } from '../operation'
import { NodeInfo, NodeName, NodeStatus } from '../schemas/node'
import { AnyValue, Parameter, ParameterName, ParameterNameValue } from '../schemas/parameter'
import { PipelineName } from '../schemas/pipeline'
import { Service, ServiceAnswer, ServiceArgs, ServiceName } from '../schemas/service'

const node = { pipeline: PipelineName, node: NodeName } as const
const noNode = { 404: 'no such node' } as const
const noParameter = { 404: 'no such node or parameter' } as const
const noService = { 404: 'no such node or service' } as const
const notWritable = {
  400: 'invalid value',
  403: 'locked by a running GigE Vision application, or no valid license',
} as const

/** Camera, navigation, detection and configuration nodes of a pipeline. */
export const pipelineNodes = {
  /** Lists the nodes of a pipeline. */
  listNodes: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes',
    summary: 'Lists the nodes of a pipeline.',
    params: { pipeline: PipelineName },
    result: Type.Array(NodeInfo),
    errors: {},
    ubjson: true,
  },
  /**
   * Reads what a node offers, and its status.
   * @throws VisionError 404 no such node
   */
  getNode: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}',
    summary: 'Reads what a node offers, and its status.',
    params: node,
    result: NodeInfo,
    errors: noNode,
    ubjson: true,
  },
  /**
   * Reads all parameters of a node, or the named ones, with values, defaults and limits.
   * @throws VisionError 404 no such node or parameter
   */
  getParameters: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}/parameters',
    summary: 'Reads all parameters of a node, or the named ones, with values, defaults and limits.',
    params: node,
    query: { name: Type.Optional(Type.Array(ParameterName)) },
    result: Type.Array(Parameter),
    errors: noParameter,
    ubjson: true,
  },
  /**
   * Writes several parameters of a node and answers what the device kept.
   * @throws VisionError 400 invalid value; 403 locked by a running GigE Vision application, or no valid license; 404 no such node or parameter
   */
  setParameters: {
    method: 'PUT',
    path: '/pipelines/{pipeline}/nodes/{node}/parameters',
    summary: 'Writes several parameters of a node and answers what the device kept.',
    params: node,
    queryIsOpen: true,
    body: { encoding: 'json', fields: { parameters: Type.Array(ParameterNameValue) }, bare: true },
    result: Type.Array(Parameter),
    errors: { ...notWritable, ...noParameter },
    ubjson: true,
    readBack: 'getParameters',
  },
  /**
   * Reads one parameter with its value, default and limits.
   * @throws VisionError 404 no such node or parameter
   */
  getParameter: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}/parameters/{param}',
    summary: 'Reads one parameter with its value, default and limits.',
    params: { ...node, param: ParameterName },
    result: Parameter,
    errors: noParameter,
    ubjson: true,
  },
  /**
   * Writes one parameter and answers what the device kept.
   * @throws VisionError 400 invalid value; 403 locked by a running GigE Vision application, or no valid license; 404 no such node or parameter
   */
  setParameter: {
    method: 'PUT',
    path: '/pipelines/{pipeline}/nodes/{node}/parameters/{param}',
    summary: 'Writes one parameter and answers what the device kept.',
    params: { ...node, param: ParameterName },
    body: { encoding: 'json', fields: { value: AnyValue } },
    result: Parameter,
    errors: { ...notWritable, ...noParameter },
    ubjson: true,
    readBack: 'getParameter',
  },
  /**
   * Lists the services of a node with the shapes of their arguments and answers.
   * @throws VisionError 404 no such node
   */
  listServices: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}/services',
    summary: 'Lists the services of a node with the shapes of their arguments and answers.',
    params: node,
    result: Type.Array(Service),
    errors: noNode,
    ubjson: true,
  },
  /**
   * Describes one service of a node.
   * @throws VisionError 404 no such node or service
   */
  getService: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}/services/{service}',
    summary: 'Describes one service of a node.',
    params: { ...node, service: ServiceName },
    result: Service,
    errors: noService,
    ubjson: true,
  },
  /**
   * Calls a service of a node.
   * @throws VisionError 403 for example no valid license; 404 no such node or service
   */
  callService: {
    method: 'PUT',
    path: '/pipelines/{pipeline}/nodes/{node}/services/{service}',
    summary: 'Calls a service of a node.',
    params: { ...node, service: ServiceName },
    body: { encoding: 'json', fields: { args: Type.Optional(ServiceArgs) } },
    result: ServiceAnswer,
    errors: { 403: 'for example no valid license', ...noService },
    ubjson: true,
  },
  /**
   * Reads the status and the run-time values of a node.
   * @throws VisionError 404 no such node
   */
  getNodeStatus: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}/status',
    summary: 'Reads the status and the run-time values of a node.',
    params: node,
    result: NodeStatus,
    errors: noNode,
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
