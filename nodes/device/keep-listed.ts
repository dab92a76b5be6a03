import type { Node } from 'node-red'
import type { KeepState } from '../../lib/streams'
import type { Connection } from './connection'
import { loadClient } from '../shared/load-later'
import { causeOf } from '../shared/node-error'
import { inWords } from './on-stream'
import { sentencesOf } from '../sentences'

const { nodeError } = sentencesOf('device')

/** A destination that is kept listed. */
export interface ListedDestination {
  /** Queries the device now, for instance because it may have restarted. */
  look: () => void
  /** Removes the destination; logs a warning if it may stay on the device. */
  end: () => Promise<void>
}

interface Keeping {
  node: Node
  device: Connection
  stream: string
  /** `<ip>:<port>` */
  destination: string
  signal: AbortSignal
  /** Milliseconds since data last arrived: while it flows, the device is not queried. */
  silence?: () => number
  /** It is listed, or it is not, with the reason in the language of the flow. Called on changes only. */
  onChange: (error?: Error) => void
}

/** Longest interval between two queries of the device, milliseconds. */
const interval = 2000

/** Keeps a destination listed on a device for a node. */
export function keepListed({
  node,
  device,
  stream,
  destination,
  signal,
  silence,
  onChange,
}: Keeping): ListedDestination {
  const tell = async (state: KeepState) => {
    const error = state.listed ? undefined : await inWords(device, stream, signal, state.error)
    if (!signal.aborted) onChange(error as Error | undefined)
  }
  const { look, close } = loadClient().streams.keepDestination(
    { client: device.client, stream, destination, interval, ...(silence && { silence }) },
    { onChange: (state) => void tell(state) },
  )
  const end = async () => {
    const problem = await close()
    if (!problem) return
    const { reason, status } = causeOf(problem) ?? {}
    const why = reason ?? (status === undefined ? problem.code : `HTTP ${status}`)
    const values = { device: device.client.name, stream, destination, reason: why }
    node.warn(nodeError(problem.code, 'stream-left', values).message)
  }
  return { look, end }
}
