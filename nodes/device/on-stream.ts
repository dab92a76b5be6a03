/** Data streams of a device: failures in the words of a flow, and destinations that are kept listed. */
import type { Node } from 'node-red'
import type { Connection } from './connection'
import type { Stream } from '../../lib/contract'
import { causeOf, codeOf, inOurLanguage } from '../shared/node-error'
import { asSentence } from '../shared/sentences'
import { sentencesOf } from '../sentences'
import type { KeepState } from '../../lib/streams'
import { loadClient } from '../shared/load-later'

const { nodeError } = sentencesOf('device')

/** @throws NOT_FOUND with the available streams, or that there are none; FORBIDDEN if it has all possible destinations */
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

export const streamRecord = (device: Connection, stream: string, signal: AbortSignal): Promise<Stream> =>
  onStream(device, stream, signal, () => device.client.getStream({ stream }, { signal }))

async function inWords(
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

export interface ListedDestination {
  /** Queries the device at once: it may have restarted. */
  check: () => void
  /** Removes it; warns if it may stay on the device. */
  end: () => Promise<void>
}

interface Keeping {
  node: Node
  device: Connection
  stream: string
  /** `<ip>:<port>` */
  destination: string
  signal: AbortSignal
  /** Milliseconds since the last data; the device is not queried while data flows. */
  silence?: () => number
  /** Without an error if listed; otherwise the reason, in the language of the flow. */
  onChange: (error?: Error) => void
}

/** Longest interval between queries, ms. */
const interval = 2000

export function keepListed({
  node,
  device,
  stream,
  destination,
  signal,
  silence,
  onChange,
}: Keeping): ListedDestination {
  const report = async (state: KeepState) => {
    const error = state.listed ? undefined : await inWords(device, stream, signal, state.error)
    if (!signal.aborted) onChange(error as Error | undefined)
  }
  const { look: check, close } = loadClient().streams.keepDestination(
    { client: device.client, stream, destination, interval, ...(silence && { silence }) },
    {
      onChange: (state) => {
        report(state).catch((error: unknown) => node.error(asSentence(error), {}))
      },
    },
  )
  const end = async () => {
    const problem = await close()
    if (!problem) return
    const { reason, status } = causeOf(problem) ?? {}
    const why = reason ?? (status === undefined ? problem.code : `HTTP ${status}`)
    const values = { device: device.client.name, stream, destination, reason: why }
    node.warn(nodeError(problem.code, 'stream-left', values).message)
  }
  return { check, end }
}
