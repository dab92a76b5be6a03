import { Type } from '@sinclair/typebox'
import type { Operation } from '../operation'
import { Destination, Stream, StreamName } from '../schemas/stream'

const noStream = { 404: 'no such stream' } as const
const variants = ['single'] as const

export const dataStreams = {
  /** Lists the data streams. */
  listStreams: {
    method: 'GET',
    path: '/datastreams',
    summary: 'Lists the data streams.',
    result: Type.Array(Stream),
    errors: {},
    ubjson: true,
    variants,
  },
  /**
   * Reads a data stream and its destinations.
   * @throws VisionError 404 no such stream
   */
  getStream: {
    method: 'GET',
    path: '/datastreams/{stream}',
    summary: 'Reads a data stream and its destinations.',
    params: { stream: StreamName },
    result: Stream,
    errors: noStream,
    ubjson: true,
    variants,
  },
  /**
   * Sends a data stream to one more destination.
   * @throws VisionError 403 too many destinations; 404 no such stream
   */
  addDestination: {
    method: 'PUT',
    path: '/datastreams/{stream}',
    summary: 'Sends a data stream to one more destination.',
    params: { stream: StreamName },
    body: { encoding: 'form', fields: { destination: Destination } },
    result: Stream,
    errors: { 403: 'too many destinations', ...noStream },
    ubjson: true,
    variants,
  },
  /**
   * Removes one destination of a data stream, or all.
   * @throws VisionError 404 no such stream
   */
  removeDestination: {
    method: 'DELETE',
    path: '/datastreams/{stream}',
    summary: 'Removes one destination of a data stream, or all.',
    params: { stream: StreamName },
    query: { destination: Type.Optional(Destination) },
    result: Stream,
    errors: noStream,
    ubjson: true,
    variants,
  },
} as const satisfies Record<string, Operation>
