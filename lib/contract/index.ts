/**
 * The HTTP API of the device as plain data: operations, schemas, error codes; `reading/` interprets answers for nodes
 * and editor. In: nothing. Out: data and types. Imports only the schema library.
 */
import type { InputOf, Operation, ResultOf } from './operation'
import { cad, templates } from './operations/stored-files'
import { dataStreams, logs, userSpace } from './operations/data'
import { globalNodes, pipelineNodes, pipelines } from './operations/pipeline-nodes'
import { robotInterface } from './operations/robot-interface'
import { system } from './operations/system'

export const groups = {
  'global nodes': {
    about: 'Database nodes that all pipelines share: status and services.',
    operations: globalNodes,
  },
  'pipeline nodes': {
    about: 'Camera, navigation, detection and configuration nodes: status, parameters and services.',
    operations: pipelineNodes,
  },
  pipelines: { about: 'Camera pipelines: what runs and what is configured.', operations: pipelines },
  logs: { about: 'Log files.', operations: logs },
  system: { about: 'System state, network, time, licenses, firmware, backup.', operations: system },
  'data streams': { about: 'Data streams to network destinations.', operations: dataStreams },
  templates: { about: 'Templates of the objects that detection nodes look for.', operations: templates },
  cad: { about: 'CAD elements: geometry of grippers.', operations: cad },
  'robot interface': { about: 'Jobs and calibrations that robots trigger.', operations: robotInterface },
  'user space': { about: 'Applications of the user that run on the device.', operations: userSpace },
}

/** Every operation of the device's API, by its id. */
export const operations = {
  ...globalNodes,
  ...pipelineNodes,
  ...pipelines,
  ...logs,
  ...system,
  ...dataStreams,
  ...templates,
  ...cad,
  ...robotInterface,
  ...userSpace,
}

/** The operations as types: `Operations['getParameter']` has its path, fields and result. */
export type Operations = typeof operations
/** The id of an operation, which is also the name of the client's method. */
export type OperationId = keyof Operations
/** The ids of all operations, in the order of `docs/api.md`. */
export const operationIds = Object.keys(operations) as OperationId[]

/** The input of an operation: path parameters, query and body fields in one object. */
export type Input<Id extends OperationId> = InputOf<Operations[Id]>
/** The result of an operation. */
export type Result<Id extends OperationId> = ResultOf<Operations[Id]>

type IdsHaving<Something> = {
  [Id in OperationId]: Operations[Id] extends Something ? Id : never
}[OperationId]

export type FarReachingId = IdsHaving<{ farReaching: true }>
export type UploadId = IdsHaving<{ body: { encoding: 'multipart' } }>

export const operation = (id: OperationId): Operation => operations[id]

/** The current API version is part of every address. */
export const basePath = '/api/v2'

export { inputFields, type Body, type Fields, type Method, type Operation, type Variant } from './operation'
export { codeOfStatus, errorCodes, type ErrorCode } from './error-codes'
export type {
  ActivePipeline,
  PipelineConfiguration,
  Log,
  LogEntry,
  LogInfo,
  NodeInfo,
  NodeStatus,
  Parameter,
  ParameterNameValue,
  ReturnCode,
  Service,
  ServiceAnswer,
  Shape,
  Stream,
} from './schemas/pipeline'
export type {
  Backup,
  FirmwareInfo,
  NetworkInfo,
  NetworkSettings,
  RestoreResult,
  SysInfo,
  FileToSend,
  StoredFile,
} from './schemas/system'
export type { RobotJob } from './schemas/system'
