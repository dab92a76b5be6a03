import { type Static, Type } from '../../typebox'

export const PipelineName = Type.String({
  pattern: '^[0-3]$',
  description: 'number of the pipeline; 0 on the single variant',
})

/** All but 0. */
export const ExtraPipelineName = Type.String({ pattern: '^[1-3]$', description: 'number of the pipeline' })

export const PipelineType = Type.String({ minLength: 1, description: 'kind of sensor' })

export const ActivePipeline = Type.Object({ type: PipelineType, status: Type.String() })
export type ActivePipeline = Static<typeof ActivePipeline>

export const ActivePipelines = Type.Record(Type.String(), ActivePipeline)

export const PipelineTypes = Type.Record(Type.String(), Type.Object({ type: PipelineType }))

export const PipelineConfiguration = Type.Object({
  config: PipelineTypes,
  max_pipelines: Type.Integer(),
  pending_changes: Type.Boolean({ description: 'changes wait for a reboot' }),
})
export type PipelineConfiguration = Static<typeof PipelineConfiguration>

export const NodeName = Type.String({
  minLength: 1,
  description: 'name of a node, with the prefix of the device',
})

/** Known values: `running`, `idle`, `stale`, `down`, `unknown`. Others are possible. */
const NodeStatusWord = Type.String({ description: 'running, idle, stale, down or unknown' })

export const NodeInfo = Type.Object({
  name: Type.String(),
  parameters: Type.Array(Type.String()),
  services: Type.Array(Type.String()),
  status: NodeStatusWord,
})
export type NodeInfo = Static<typeof NodeInfo>

export const NodeStatus = Type.Object({
  status: NodeStatusWord,
  timestamp: Type.Number({ description: 'last update of the values, seconds since 1970' }),
  values: Type.Union([Type.Record(Type.String(), Type.String()), Type.Array(Type.Never(), { maxItems: 0 })], {
    description: 'run-time values as strings; an empty array for nodes without values',
  }),
})
export type NodeStatus = Static<typeof NodeStatus>

export const ParameterName = Type.String({ minLength: 1, description: 'name of a parameter' })

export const AnyValue = Type.Unknown({ description: 'any JSON value' })

export const Parameter = Type.Object({
  name: Type.String(),
  type: Type.String({ description: 'bool, string, int8 to int64, uint8 to uint64, float32 or float64' }),
  value: AnyValue,
  default: AnyValue,
  min: Type.Optional(AnyValue),
  max: Type.Optional(AnyValue),
  description: Type.String({ description: 'what it does; choices stand in square brackets' }),
})
/** `min` and `max` are meaningless for a string parameter. */
export type Parameter = Static<typeof Parameter>

export const ParameterNameValue = Type.Object({ name: ParameterName, value: AnyValue })
export type ParameterNameValue = Static<typeof ParameterNameValue>

export const ServiceName = Type.String({ minLength: 1, description: 'name of a service' })

/** Type names as leaves: `{ pose: { position: { x: 'float64' } }, ids: ['string'] }`. */
export type Shape = string | { readonly [field: string]: Shape } | readonly [Shape] | readonly []

export const Service = Type.Object({
  name: Type.String(),
  description: Type.Optional(Type.String()),
  args: Type.Optional(Type.Unknown({ description: 'field names to type names, nested' })),
  response: Type.Unknown({ description: 'field names to type names, nested' }),
})
export type Service = Static<typeof Service>

export const ServiceArgs = Type.Record(Type.String(), Type.Unknown(), {
  description: 'arguments of the service',
})

export const ServiceAnswer = Type.Object({
  name: Type.String(),
  response: Type.Record(Type.String(), Type.Unknown(), { description: 'results of the service' }),
})
export type ServiceAnswer = Static<typeof ServiceAnswer>

/** Outcome of most services: 0 is success, negative a failure, positive success with a remark. */
export const ReturnCode = Type.Object({ value: Type.Integer(), message: Type.String() })
export type ReturnCode = Static<typeof ReturnCode>

export const StreamName = Type.String({ minLength: 1, description: 'name of a data stream' })

export const Destination = Type.String({ minLength: 1, description: '<ip>:<port>' })

export const Stream = Type.Object({
  name: Type.String(),
  description: Type.String(),
  destinations: Type.Array(Type.String({ description: '<ip>:<port>' })),
  protobuf: Type.String({ description: 'message type: Frame, Imu or Dynamics' }),
  protocol: Type.String({ description: 'UDP' }),
})
export type Stream = Static<typeof Stream>

export const LogName = Type.String({ minLength: 1, description: 'name of a log' })

export const LogInfo = Type.Object({
  name: Type.String(),
  date: Type.Number({ description: 'last change, seconds since 1970' }),
  size: Type.Optional(Type.Integer({ description: 'bytes; may be absent' })),
})
export type LogInfo = Static<typeof LogInfo>

export const LogEntry = Type.Object({
  component: Type.String(),
  level: Type.String({ description: 'DEBUG, INFO, WARN, ERROR or FATAL' }),
  message: Type.String(),
  timestamp: Type.Number({ description: 'seconds since 1970' }),
})
export type LogEntry = Static<typeof LogEntry>

export const Log = Type.Object({ ...LogInfo.properties, log: Type.Array(LogEntry) })
export type Log = Static<typeof Log>
