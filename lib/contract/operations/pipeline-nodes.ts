import { Type } from '../../typebox'
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
  listNodes: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes',
    summary: 'List the nodes of a pipeline',
    params: { pipeline: PipelineName },
    result: Type.Array(NodeInfo),
    errors: {},
    ubjson: true,
  },
  getNode: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}',
    summary: 'Read a node: its parameters, services and status',
    params: node,
    result: NodeInfo,
    errors: noNode,
    ubjson: true,
  },
  getParameters: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}/parameters',
    summary: 'Read the parameters of a node: all or the named ones, with values, defaults and limits',
    params: node,
    query: { name: Type.Optional(Type.Array(ParameterName)) },
    result: Type.Array(Parameter),
    errors: noParameter,
    ubjson: true,
  },
  setParameters: {
    method: 'PUT',
    path: '/pipelines/{pipeline}/nodes/{node}/parameters',
    summary: 'Write parameters of a node: returns the values that the device accepted',
    params: node,
    queryIsOpen: true,
    body: { encoding: 'json', fields: { parameters: Type.Array(ParameterNameValue) }, bare: true },
    result: Type.Array(Parameter),
    errors: { ...notWritable, ...noParameter },
    ubjson: true,
    readBack: 'getParameters',
  },
  getParameter: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}/parameters/{param}',
    summary: 'Read a parameter: with value, default and limits',
    params: { ...node, param: ParameterName },
    result: Parameter,
    errors: noParameter,
    ubjson: true,
  },
  setParameter: {
    method: 'PUT',
    path: '/pipelines/{pipeline}/nodes/{node}/parameters/{param}',
    summary: 'Write a parameter: returns the value that the device accepted',
    params: { ...node, param: ParameterName },
    body: { encoding: 'json', fields: { value: AnyValue } },
    result: Parameter,
    errors: { ...notWritable, ...noParameter },
    ubjson: true,
    readBack: 'getParameter',
  },
  listServices: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}/services',
    summary: 'List the services of a node: with the shapes of their arguments and answers',
    params: node,
    result: Type.Array(Service),
    errors: noNode,
    ubjson: true,
  },
  getService: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}/services/{service}',
    summary: 'Describe a service of a node: the shapes of its arguments and answer',
    params: { ...node, service: ServiceName },
    result: Service,
    errors: noService,
    ubjson: true,
  },
  callService: {
    method: 'PUT',
    path: '/pipelines/{pipeline}/nodes/{node}/services/{service}',
    summary: 'Call a service: on a node of a pipeline',
    params: { ...node, service: ServiceName },
    body: { encoding: 'json', fields: { args: Type.Optional(ServiceArgs) } },
    result: ServiceAnswer,
    errors: { 403: 'for example no valid license', ...noService },
    ubjson: true,
  },
  getNodeStatus: {
    method: 'GET',
    path: '/pipelines/{pipeline}/nodes/{node}/status',
    summary: 'Read the status of a node: with its status values',
    params: node,
    result: NodeStatus,
    errors: noNode,
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
