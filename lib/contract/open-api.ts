import {
  Log,
  LogEntry,
  LogInfo,
  NodeInfo,
  NodeStatus,
  Parameter,
  ParameterNameValue,
  ActivePipeline,
  PipelineConfiguration,
  PipelineTypes,
  ReturnCode,
  Service,
  ServiceAnswer,
  Stream,
} from './schemas/pipeline'
import * as system from './schemas/system'
import { HandEyeConfiguration, RobotJob, StoredFile, UserSpace, UserSpaceProxy } from './schemas/system'
import { OptionalKind, type TSchema } from '../typebox'
import { basePath, groups, type Body, type Operation, type Variant } from '.'

const { Dns, FirmwareInfo, LicenseInfo, NetworkInfo, NetworkSettings, Ntp, RestoreResult } = system

const { SysInfo, Time, UiLock, UiLockAnswer } = system

const records = {
  ActivePipeline,
  Dns,
  FirmwareInfo,
  HandEyeConfiguration,
  LicenseInfo,
  Log,
  LogEntry,
  LogInfo,
  NetworkInfo,
  NetworkSettings,
  NodeInfo,
  NodeStatus,
  Ntp,
  Parameter,
  ParameterNameValue,
  PipelineConfiguration,
  PipelineTypes,
  RestoreResult,
  ReturnCode,
  RobotJob,
  Service,
  ServiceAnswer,
  StoredFile,
  Stream,
  SysInfo,
  Time,
  UiLock,
  UiLockAnswer,
  UserSpace,
  UserSpaceProxy,
}

type Json = Record<string, unknown>

interface OpenApiOptions {
  version: string
  /** @default all operations */
  variant?: Variant
}

/** Statuses that every operation may return, whatever the specification lists. */
const everywhere = { 400: 'a missing or invalid argument', 429: 'too many requests' }

const withBody = { 413: 'body too large', 415: 'content type not supported' }

const nameOfRecord = new Map<unknown, string>(Object.entries(records).map(([name, schema]) => [schema, name]))

export function openApi({ version, variant }: OpenApiOptions): Json {
  const paths: Record<string, Json> = {}
  for (const [tag, group] of Object.entries(groups)) {
    for (const [id, operation] of Object.entries<Operation>(group.operations)) {
      if (variant && operation.variants && !operation.variants.includes(variant)) continue
      const item = (paths[operation.path] ??= {})
      item[operation.method.toLowerCase()] = describe(id, tag, operation)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Embedded 3D-vision device',
      version,
      description: 'Management and configuration interface of an embedded 3D-vision device.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath }],
    tags: Object.entries(groups).map(([name, { about }]) => ({ name, description: about })),
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(Object.entries(records).map(([name, schema]) => [name, parts(schema)])),
        Refusal: {
          type: 'object',
          properties: { message: { type: 'string' }, return_code: reference('ReturnCode') },
          required: ['message'],
        },
      },
    },
    security: [],
  }
}

const describe = (
  id: string,
  tag: string,
  { summary, params, query, body, ...operation }: Operation,
): Json => ({
  operationId: id,
  summary,
  ...(operation.beyondSpecification && { description: 'Beyond the specification, as known from devices.' }),
  tags: [tag],
  parameters: [
    ...Object.entries(params ?? {}).map(([name, schema]) => parameter(name, 'path', schema)),
    ...Object.entries(query ?? {}).map(([name, schema]) => parameter(name, 'query', schema)),
    ...(operation.queryIsOpen ? [openQuery] : []),
  ],
  ...(body && { requestBody: { required: !isOptional(body), content: bodyContent(body, operation.ubjson) } }),
  responses: {
    200: { description: 'success', content: answerContent(operation) },
    ...Object.fromEntries(
      Object.entries({ ...everywhere, ...(body && withBody), ...operation.errors }).map(
        ([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: reference('Refusal') } } },
        ],
      ),
    ),
  },
})

const parameter = (name: string, place: 'path' | 'query', schema: TSchema): Json => ({
  name,
  in: place,
  required: place === 'path' || !optional(schema),
  description: schema.description ?? name,
  schema: schemaOf(schema),
})

/** `?fps=10&exp_auto=false`: names of parameters and their values. */
const openQuery: Json = {
  name: 'values',
  in: 'query',
  required: false,
  description: 'instead of a body: names of parameters and their values',
  style: 'form',
  explode: true,
  schema: { type: 'object', additionalProperties: true },
}

function bodyContent({ encoding, fields, bare }: Body, ubjson: boolean): Json {
  const schema = bare ? schemaOf(Object.values(fields)[0]) : objectOf(fields)
  if (encoding === 'form') return { 'application/x-www-form-urlencoded': { schema } }
  if (encoding === 'multipart') return { 'multipart/form-data': { schema: filesOf(fields) } }
  return { 'application/json': { schema }, ...(ubjson && { 'application/ubjson': { schema } }) }
}

function answerContent({
  result,
  ubjson,
  textWhen,
  offersFile,
}: Pick<Operation, 'result' | 'ubjson' | 'textWhen' | 'offersFile'>): Json {
  const schema = schemaOf(result)
  return {
    'application/json': { schema },
    ...(ubjson && { 'application/ubjson': { schema } }),
    ...(textWhen && { 'text/plain': { schema: { type: 'string' } } }),
    ...(offersFile && { 'application/octet-stream': { schema: fileContent } }),
  }
}

const fileContent: Json = { type: 'string', contentMediaType: 'application/octet-stream' }

const filesOf = (fields: Body['fields']): Json => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, name === 'file' ? fileContent : schemaOf(schema)]),
  ),
  required: namesNeeded(fields),
})

const objectOf = (fields: Body['fields']): Json => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schemaOf(schema)])),
  required: namesNeeded(fields),
})

const namesNeeded = (fields: Body['fields']) =>
  Object.entries(fields)
    .filter(([, schema]) => !optional(schema))
    .map(([name]) => name)

const optional = (schema: TSchema) => schema[OptionalKind] === 'Optional'

const isOptional = (body: Body) => Object.values(body.fields).every(optional)

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

function schemaOf(schema: unknown): unknown {
  const name = nameOfRecord.get(schema)
  return name ? reference(name) : parts(schema)
}

function parts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaOf)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, schemaOf(value)]))
}
