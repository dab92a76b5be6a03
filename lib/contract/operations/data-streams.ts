import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { Destination, Stream, StreamName } from '../schemas/stream'

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
