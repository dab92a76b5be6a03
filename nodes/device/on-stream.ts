import type { Connection } from './connection'
import type { Stream } from '../../lib/contract'
import { causeOf, codeOf, inOurLanguage } from '../shared/node-error'
import { sentencesOf } from '../sentences'

const { nodeError } = sentencesOf('device')

/**
 * Uses a data stream of a device, with failures worded for the flow.
 * @throws VisionError `NOT_FOUND` with the available streams, or that the device has none; `FORBIDDEN` if the stream
 * has the most destinations possible
 */
export async function onStream<Answer>(
  device: Connection,
  stream: string,
  signal: AbortSignal,
  act: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await act()
  } catch (error) {
    throw await inWords(device, stream, signal, error)
  }
}

/** The record of a stream: its message type and its destinations. */
export const streamRecord = (device: Connection, stream: string, signal: AbortSignal): Promise<Stream> =>
  onStream(device, stream, signal, () => device.client.getStream({ stream }, { signal }))

/** The meaning of a failure with a stream, worded for the flow. */
export async function inWords(
  device: Connection,
  stream: string,
  signal: AbortSignal,
  error: unknown,
): Promise<unknown> {
  const { name } = device.client
  const code = codeOf(error)
  if (code === 'FORBIDDEN') return nodeError(code, 'stream-full', { stream, device: name }, causeOf(error))
  if (code !== 'NOT_FOUND') return inOurLanguage(error)
  try {
    const streams = await device.client.listStreams({ signal })
    const known = streams.map(({ name }) => name).join(', ')
    return nodeError(code, 'stream-unknown', { stream, known, device: name }, causeOf(error))
  } catch (problem) {
    if (codeOf(problem) !== 'NOT_FOUND') return codeOf(problem) === 'ABORTED' ? problem : error
    return nodeError(code, 'stream-single-only', { device: name }, causeOf(error))
  }
}
