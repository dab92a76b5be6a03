import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { Log, LogInfo, LogName, Destination, Stream, StreamName } from '../schemas/pipeline'
import { UserSpace, UserSpaceProxy } from '../schemas/system'

const beyond = { ubjson: true, variants: ['multi'], beyondSpecification: true } as const

export const userSpace = {
  getUserSpace: {
    method: 'GET',
    path: '/userspace',
    summary: 'List the applications on the device',
    result: UserSpace,
    errors: {},
    ubjson: true,
    variants: ['multi'],
  },
  configureUserSpace: {
    method: 'PUT',
    path: '/userspace/configure',
    summary: 'Configure the user space: enable, disable or reset it',
    query: {
      action: Type.String({ pattern: '^(enable|disable|reset)$', description: 'enable, disable or reset' }),
    },
    result: UserSpace,
    errors: { 400: 'invalid action' },
    ...beyond,
    farReaching: true,
  },
  getUserSpaceProxy: {
    method: 'GET',
    path: '/userspace/proxy',
    summary: 'Read the proxies of the user space',
    result: UserSpaceProxy,
    errors: {},
    ...beyond,
  },
  setUserSpaceProxy: {
    method: 'PUT',
    path: '/userspace/proxy',
    summary: 'Set the proxies of the user space: omitted ones stay unchanged',
    body: {
      encoding: 'json',
      fields: { http_proxy: Type.Optional(Type.String()), https_proxy: Type.Optional(Type.String()) },
    },
    result: UserSpaceProxy,
    errors: { 400: 'invalid address' },
    ...beyond,
  },
} as const satisfies Record<string, Operation>

export const logs = {
  listLogs: {
    method: 'GET',
    path: '/logs',
    summary: 'List the log files',
    result: Type.Array(LogInfo),
    errors: {},
    ubjson: true,
  },
  getLog: {
    method: 'GET',
    path: '/logs/{log}',
    summary: 'Read a log: its latest entries, or the whole log as text',
    params: { log: LogName },
    query: {
      format: Type.Optional(Type.String({ pattern: '^(json|raw)$', default: 'json' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, default: 100, description: 'newest entries, for format json only' }),
      ),
    },
    result: Log,
    textWhen: { format: 'raw' },
    errors: { 404: 'no such log' },
    ubjson: true,
  },
} as const satisfies Record<string, Operation>

const noStream = { 404: 'no such stream' } as const
const variants = ['single'] as const

export const dataStreams = {
  listStreams: {
    method: 'GET',
    path: '/datastreams',
    summary: 'List the data streams',
    result: Type.Array(Stream),
    errors: {},
    ubjson: true,
    variants,
  },
  getStream: {
    method: 'GET',
    path: '/datastreams/{stream}',
    summary: 'Read a data stream: with its destinations',
    params: { stream: StreamName },
    result: Stream,
    errors: noStream,
    ubjson: true,
    variants,
  },
  addDestination: {
    method: 'PUT',
    path: '/datastreams/{stream}',
    summary: 'Add a destination to a data stream',
    params: { stream: StreamName },
    body: { encoding: 'form', fields: { destination: Destination } },
    result: Stream,
    errors: { 403: 'too many destinations', ...noStream },
    ubjson: true,
    variants,
  },
  removeDestination: {
    method: 'DELETE',
    path: '/datastreams/{stream}',
    summary: 'Remove destinations of a data stream: one or all of them',
    params: { stream: StreamName },
    query: { destination: Type.Optional(Destination) },
    result: Stream,
    errors: noStream,
    ubjson: true,
    variants,
  },
} as const satisfies Record<string, Operation>
